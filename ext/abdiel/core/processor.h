/* What this processor and its operating system can run, asked of the processor itself.
 *
 * The names are the compiler's feature macros in lower case without their outer underscores, as setup.py records
 * them. Only what a compiler emits by itself for plain C stands here: a build for a processor with, say, AES
 * instructions does not need them. Compiled for the baseline, so it runs wherever Python does.
 */
#ifndef ABDIEL_PROCESSOR_H
#define ABDIEL_PROCESSOR_H

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

enum abdiel_register { EAX, EBX, ECX, EDX };

/* State that the operating system must save across task switches (bits of XCR0). */
enum abdiel_state { NONE = 0, AVX_STATE = 0x6, AVX512_STATE = 0xe6, APX_STATE = 0x80000 };

struct abdiel_feature {
    const char *name;
    unsigned leaf, subleaf;
    enum abdiel_register in;
    int bit;
    enum abdiel_state state;
};

static const struct abdiel_feature abdiel_features[] = {
    {"sse3", 1, 0, ECX, 0, NONE},
    {"ssse3", 1, 0, ECX, 9, NONE},
    {"sse4_1", 1, 0, ECX, 19, NONE},
    {"sse4_2", 1, 0, ECX, 20, NONE},
    {"crc32", 1, 0, ECX, 20, NONE},
    {"popcnt", 1, 0, ECX, 23, NONE},
    {"gcc_have_sync_compare_and_swap_16", 1, 0, ECX, 13, NONE},
    {"lahf_sahf", 0x80000001, 0, ECX, 0, NONE},
    {"movbe", 1, 0, ECX, 22, NONE},
    {"abm", 0x80000001, 0, ECX, 5, NONE},
    {"lzcnt", 0x80000001, 0, ECX, 5, NONE},
    {"prfchw", 0x80000001, 0, ECX, 8, NONE},
    {"sse4a", 0x80000001, 0, ECX, 6, NONE},
    {"tbm", 0x80000001, 0, ECX, 21, NONE},
    {"xop", 0x80000001, 0, ECX, 11, AVX_STATE},
    {"fma4", 0x80000001, 0, ECX, 16, AVX_STATE},
    {"bmi", 7, 0, EBX, 3, NONE},
    {"bmi2", 7, 0, EBX, 8, NONE},
    {"adx", 7, 0, EBX, 19, NONE},
    {"gfni", 7, 0, ECX, 8, NONE},
    {"pclmul", 1, 0, ECX, 1, NONE},
    {"avx", 1, 0, ECX, 28, AVX_STATE},
    {"f16c", 1, 0, ECX, 29, AVX_STATE},
    {"fma", 1, 0, ECX, 12, AVX_STATE},
    {"avx2", 7, 0, EBX, 5, AVX_STATE},
    {"vaes", 7, 0, ECX, 9, AVX_STATE},
    {"vpclmulqdq", 7, 0, ECX, 10, AVX_STATE},
    {"avxvnni", 7, 1, EAX, 4, AVX_STATE},
    {"avxifma", 7, 1, EAX, 23, AVX_STATE},
    {"avxvnniint8", 7, 1, EDX, 4, AVX_STATE},
    {"avxneconvert", 7, 1, EDX, 5, AVX_STATE},
    {"avxvnniint16", 7, 1, EDX, 10, AVX_STATE},
    {"cmpccxadd", 7, 1, EAX, 7, NONE},
    {"avx512f", 7, 0, EBX, 16, AVX512_STATE},
    {"avx512dq", 7, 0, EBX, 17, AVX512_STATE},
    {"avx512ifma", 7, 0, EBX, 21, AVX512_STATE},
    {"avx512cd", 7, 0, EBX, 28, AVX512_STATE},
    {"avx512bw", 7, 0, EBX, 30, AVX512_STATE},
    {"avx512vl", 7, 0, EBX, 31, AVX512_STATE},
    {"avx512vbmi", 7, 0, ECX, 1, AVX512_STATE},
    {"avx512vbmi2", 7, 0, ECX, 6, AVX512_STATE},
    {"avx512vnni", 7, 0, ECX, 11, AVX512_STATE},
    {"avx512bitalg", 7, 0, ECX, 12, AVX512_STATE},
    {"avx512vpopcntdq", 7, 0, ECX, 14, AVX512_STATE},
    {"avx512vp2intersect", 7, 0, EDX, 8, AVX512_STATE},
    {"avx512fp16", 7, 0, EDX, 23, AVX512_STATE},
    {"avx512bf16", 7, 1, EAX, 5, AVX512_STATE},
    {"avx512er", 7, 0, EBX, 27, AVX512_STATE},
    {"avx512pf", 7, 0, EBX, 26, AVX512_STATE},
    {"avx5124vnniw", 7, 0, EDX, 2, AVX512_STATE},
    {"avx5124fmaps", 7, 0, EDX, 3, AVX512_STATE},
    {"avx10_1", 7, 1, EDX, 19, AVX512_STATE},
    {"apx_f", 7, 1, EDX, 21, APX_STATE},
    {NULL, 0, 0, EAX, 0, NONE},
};

static unsigned abdiel_saved_state(void)
{
    unsigned low, high, regs[4];
    if (!__get_cpuid(1, &regs[EAX], &regs[EBX], &regs[ECX], &regs[EDX]) || !(regs[ECX] & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

/* 1: can be run here, 0: cannot, -1: not a feature of the table. */
static int abdiel_cpu_has(const char *name)
{
    const struct abdiel_feature *f;
    unsigned regs[4] = {0, 0, 0, 0};
    for (f = abdiel_features; f->name && strcmp(f->name, name); f++)
        ;
    if (!f->name)
        return -1;
    if (!__get_cpuid_count(f->leaf, f->subleaf, &regs[EAX], &regs[EBX], &regs[ECX], &regs[EDX]))
        return 0;
    if (!(regs[f->in] >> f->bit & 1))
        return 0;
    return (abdiel_saved_state() & (unsigned)f->state) == (unsigned)f->state;
}

#else /* Elsewhere nothing is asked: -march=native or what the builder chose is trusted. */

static int abdiel_cpu_has(const char *name)
{
    (void)name;
    return -1;
}

#endif
#endif
