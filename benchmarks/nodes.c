/* The C floor of a tree: the nodes of RFC 6962 over hashes of leaves, and nothing around them.
 * K and H are made by merkle.py. Where the processor has instructions for SHA-256 they are used, as
 * the library behind Python's hashlib does. */
#include <stdint.h>
#include <string.h>
#include "constants.h"

#ifdef __SHA__
#include <immintrin.h>

static void compress(uint32_t state[8], const uint8_t *block) {
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i w[16];
    /* The instructions want the words as ABEF and CDGH, the first word in the highest lane. */
    __m128i one = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    __m128i two = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    const __m128i one_before = one, two_before = two;
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
        if (i < 4) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), order);
        } else {
            __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]),
                                        _mm_alignr_epi8(w[i - 1], w[i - 2], 4));
            w[i] = _mm_sha256msg2_epu32(sum, w[i - 1]);
        }
        __m128i keyed = _mm_add_epi32(w[i], _mm_loadu_si128((const __m128i *)(K + 4 * i)));
        two = _mm_sha256rnds2_epu32(two, one, keyed);
        one = _mm_sha256rnds2_epu32(one, two, _mm_shuffle_epi32(keyed, 0x0e));
    }
    uint32_t a[4], b[4];
    _mm_storeu_si128((__m128i *)a, _mm_add_epi32(one, one_before));
    _mm_storeu_si128((__m128i *)b, _mm_add_epi32(two, two_before));
    state[0] = a[3], state[1] = a[2], state[4] = a[1], state[5] = a[0];
    state[2] = b[3], state[3] = b[2], state[6] = b[1], state[7] = b[0];
}
#else
static uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void compress(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
             | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3)
             + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t more = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25))
                      + (s[6] ^ (s[4] & (s[5] ^ s[6]))) + K[i] + w[i];
        uint32_t most = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22))
                      + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += more;
        s[0] = more + most;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}
#endif

/* Two hashes become one: a message of 65 bytes, so two blocks, of which the second is nearly empty. */
static void node(const uint8_t *pair, uint8_t *out) {
    uint32_t state[8];
    uint8_t block[64];
    memcpy(state, H, sizeof state);
    block[0] = 1;
    memcpy(block + 1, pair, 63);
    compress(state, block);
    memset(block, 0, sizeof block);
    block[0] = pair[63];
    block[1] = 0x80;
    block[62] = 65 * 8 >> 8;
    block[63] = 65 * 8 & 255;
    compress(state, block);
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

/* Leaves the root in the first hash; a node without a neighbour goes up as it is. */
void root(uint8_t *hashes, uint32_t count) {
    for (; count > 1; count = (count + 1) / 2) {
        for (uint32_t i = 0; i + 1 < count; i += 2) node(hashes + 32 * i, hashes + 16 * i);
        if (count & 1) memmove(hashes + 16 * (count - 1), hashes + 32 * (count - 1), 32);
    }
}
