/* The C floor of a deal: the same construction (protocol 2.7), nothing of Python around it.
 * K and H0 are made by floor.py; a deck has at most 1,024 cards. */
#include <stdint.h>
#include <string.h>
#include "constants.h"

static uint64_t turn(uint64_t x, int by) { return x >> by | x << (64 - by); }

/* One round; the eight words change places instead of moving. */
#define STEP(a, b, c, d, e, f, g, h, i)                                                       \
    s[h] += (turn(s[e], 14) ^ turn(s[e], 18) ^ turn(s[e], 41)) + (s[g] ^ (s[e] & (s[f] ^ s[g]))) \
          + K[i] + w[i];                                                                       \
    s[d] += s[h];                                                                              \
    s[h] += (turn(s[a], 28) ^ turn(s[a], 34) ^ turn(s[a], 39))                                  \
          + ((s[a] & s[b]) | (s[c] & (s[a] | s[b])));

static void compress(uint64_t state[8], const uint8_t *block) {
    uint64_t w[80], s[8];
    for (int i = 0; i < 16; i++) {
        w[i] = 0;
        for (int j = 0; j < 8; j++) w[i] = w[i] << 8 | block[8 * i + j];
    }
    for (int i = 16; i < 80; i++) {
        uint64_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(a, 1) ^ turn(a, 8) ^ a >> 7)
             + (turn(b, 19) ^ turn(b, 61) ^ b >> 6);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 80; i += 8) {
        STEP(0, 1, 2, 3, 4, 5, 6, 7, i)
        STEP(7, 0, 1, 2, 3, 4, 5, 6, i + 1)
        STEP(6, 7, 0, 1, 2, 3, 4, 5, i + 2)
        STEP(5, 6, 7, 0, 1, 2, 3, 4, i + 3)
        STEP(4, 5, 6, 7, 0, 1, 2, 3, i + 4)
        STEP(3, 4, 5, 6, 7, 0, 1, 2, i + 5)
        STEP(2, 3, 4, 5, 6, 7, 0, 1, i + 6)
        STEP(1, 2, 3, 4, 5, 6, 7, 0, i + 7)
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

static void keyed(uint64_t state[8], const uint8_t *key, uint8_t pad) {
    uint8_t block[128];
    for (int i = 0; i < 128; i++) block[i] = (i < 64 ? key[i] : 0) ^ pad;
    memcpy(state, H0, sizeof H0);
    compress(state, block);
}

static void spill(const uint64_t state[8], uint8_t *out) {
    for (int i = 0; i < 64; i++) out[i] = (uint8_t)(state[i / 8] >> (56 - 8 * (i % 8)));
}

/* Ends a message of `length` bytes behind a key's block of 128, and hashes it into the state. */
static void last(uint64_t state[8], uint8_t *block, int length) {
    uint32_t bits = 8 * (128 + (uint32_t)length);
    memset(block + length, 0, 128 - (size_t)length);
    block[length] = 0x80;
    block[126] = (uint8_t)(bits >> 8);
    block[127] = (uint8_t)bits;
    compress(state, block);
}

static void stream_block(const uint64_t inner[8], const uint64_t outer[8], const uint8_t *mix,
                         uint32_t number, uint8_t *out) {
    uint64_t state[8];
    uint8_t block[128] = {0};
    block[2] = (uint8_t)(number >> 8);
    block[3] = (uint8_t)number;
    memcpy(block + 4, "pfd1/stream", 12);
    memcpy(block + 16, mix, 64);
    memcpy(state, inner, sizeof state);
    last(state, block, 80);
    spill(state, block);
    memcpy(state, outer, sizeof state);
    last(state, block, 64);
    spill(state, out);
}

void orders(const uint8_t *keys, const uint8_t *mixes, uint32_t hands, uint32_t n, uint16_t *out) {
    for (uint32_t hand = 0; hand < hands; hand++, keys += 64, mixes += 64, out += n) {
        uint64_t inner[8], outer[8];
        uint8_t bytes[64];
        uint32_t number = 0, at = 64;
        keyed(inner, keys, 0x36);
        keyed(outer, keys, 0x5c);
        for (uint32_t i = 0; i < n; i++) out[i] = (uint16_t)i;
        for (uint32_t m = n; m > 1; m--) {
            uint32_t word, limit = 65536 - 65536 % m;
            do {
                if (at == 64) stream_block(inner, outer, mixes, ++number, bytes), at = 0;
                word = (uint32_t)bytes[at] << 8 | bytes[at + 1];
                at += 2;
            } while (word >= limit);
            uint16_t card = out[m - 1];
            out[m - 1] = out[word % m];
            out[word % m] = card;
        }
    }
}
