"""Tuning the evaluation's weights on positions from games, by gradient descent.

`selfplay` makes the positions, `samples` reads them, `model` repeats the evaluation as a function
of its weights, `fit` moves the weights, `tuner` puts it together, `header` writes them.
"""
