// Stand-ins, written for this test, for what the board class uses of Qt: its names over the standard
// library, no more of each than is needed.
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

typedef std::uint64_t quint64;

template <typename T> T qAbs(T number) { return number < 0 ? -number : number; }

class QChar {
public:
    QChar(char c) : m_char(c) {}
    explicit QChar(int code) : m_char(char(code)) {}
    bool isUpper() const { return std::isupper(m_char) != 0; }
    QChar toLower() const { return char(std::tolower(m_char)); }
    char toLatin1() const { return m_char; }
    bool operator==(QChar other) const { return m_char == other.m_char; }

private:
    char m_char;
};

class QString {
public:
    QString() {}
    QString(const char* text) : m_text(text) {}
    explicit QString(const std::string& text) : m_text(text) {}
    explicit QString(QChar c) : m_text(1, c.toLatin1()) {}
    bool isEmpty() const { return m_text.empty(); }
    int size() const { return int(m_text.size()); }
    QString left(int n) const { return QString(m_text.substr(0, n)); }
    QString mid(int from) const { return QString(m_text.substr(from)); }
    QString toUpper() const
    {
        QString upper(*this);
        for (char& c : upper.m_text)
            c = char(std::toupper(c));
        return upper;
    }
    const std::string& toStdString() const { return m_text; }
    QString& operator+=(const QString& other) { m_text += other.m_text; return *this; }
    QString& operator+=(QChar c) { m_text += c.toLatin1(); return *this; }
    bool operator==(const QString& other) const { return m_text == other.m_text; }
    friend QString operator+(QChar c, const QString& text) { return QString(c) += text; }

private:
    std::string m_text;
};

template <typename T> class QVector {
public:
    QVector() {}
    QVector(std::initializer_list<T> items) : m_items(items) {}
    void append(const T& item) { m_items.push_back(item); }
    void clear() { m_items.clear(); }
    void removeLast() { m_items.pop_back(); }
    bool isEmpty() const { return m_items.empty(); }
    int size() const { return int(m_items.size()); }
    const T& first() const { return m_items.front(); }
    const T& last() const { return m_items.back(); }
    const T& at(int i) const { return m_items.at(i); }
    T& operator[](int i) { return m_items.at(i); }
    typename std::vector<T>::const_iterator begin() const { return m_items.begin(); }
    typename std::vector<T>::const_iterator end() const { return m_items.end(); }

private:
    std::vector<T> m_items;
};

template <typename T, int Prealloc = 256> class QVarLengthArray : public QVector<T> {
public:
    using QVector<T>::QVector;
};

typedef QVector<QString> QStringList;
