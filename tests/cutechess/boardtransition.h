#include "westernboard.h"
