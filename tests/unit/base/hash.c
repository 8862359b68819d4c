/* XXH64 against values computed by the reference implementation (Debian's xxhsum and libxxhash 0.8.1). */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/check.h"

static const uint64_t seeds[4] = { 0, 1, 0x9e3779b185ebca87, 2654435761 };

/* Hashes of the bytes i * 7 + (i >> 8) * 13 + 1, for each seed. */
static const struct {
    size_t length;
    uint64_t hash[4];
} vectors[] = {
    { 0, { 0xef46db3751d8e999, 0xd5afba1336a3be4b, 0x6ec6d05f61c7e7a7, 0xac75fda2929b17ef } },
    { 1, { 0x8a4127811b21e730, 0x6ec2195ffcaa3025, 0x2d2b285e9ef7fe02, 0x211ae13247ce135f } },
    { 3, { 0xb6e6c910c2fd373a, 0x9a065ab0264d7748, 0x2ed3e20ed8130b84, 0x0ccdb2c7c2850613 } },
    { 4, { 0x22eda2cf6af4c124, 0xe5adca577536f94f, 0x5dc6652ade8d82ea, 0x446be1f3228ed3c3 } },
    { 7, { 0x34084d91a233a751, 0x7ffa975fb8c68385, 0xb84b6a592c181dd2, 0x5410e6030daf84b3 } },
    { 8, { 0xc6f1803a5e0b3222, 0x51912278ff8a837c, 0x2be0bec1bc9d4890, 0xb872c2fb02e71655 } },
    { 11, { 0xa295d00465199f0a, 0xec539c53d66705e4, 0xba0cad890d7ea995, 0x7057b1814446c05b } },
    { 12, { 0x9178b724dce384c0, 0x5f8e24fc05331b81, 0xd890db8cc6f4c5aa, 0x026eca0e444827d8 } },
    { 31, { 0x6ab1c40e29f50073, 0x4251c73e9ad1a2c3, 0x91d222c7f6989437, 0xbb6d29b38190a8ff } },
    { 32, { 0x5a0756fbe9ecd3d1, 0xa4339581310edcc0, 0x13da2ba84625b463, 0x0518cc93bc88a896 } },
    { 33, { 0xdc50cdc37bb9c183, 0x5bcef87b90a7fd1d, 0xf54290f325ceeaab, 0x157ce0e9c56b5988 } },
    { 63, { 0x10dd94885c71894a, 0x89b6fcff330b59d9, 0xda0d79ae47b883e7, 0x20ab6c1bad83813f } },
    { 64, { 0x90083da9cdb9d795, 0x6049244348d73c64, 0x5a209d02a7905727, 0xa2fe2536872fcb89 } },
    { 65, { 0x38824dea10bf4e5d, 0xabd82b97a17d7165, 0xd412cf8aa73a923d, 0x27da7ed101e6f208 } },
    { 100, { 0xd248bfc5208b0b16, 0xd7413414aad433f3, 0xef3d8a8b4c54a650, 0xbccf07579af475cd } },
    { 255, { 0x5da8139d7acf3995, 0x8a19d5848016e263, 0xc19ef32195d8ea27, 0x23d5f0be1cf55f03 } },
    { 256, { 0xb451505592b94d00, 0x6b3d3afc61541de6, 0xf32cb2e7f60ae77a, 0x600adfffbf830fb6 } },
    { 1000, { 0x87345ddb5a6099bc, 0x0ad9dfd80517e633, 0x2b9a1fed590e4185, 0x068b65c609959d28 } },
    { 4099, { 0x58da0423ae7fed50, 0x20b3975875d62645, 0x95eb1e0aad5b553a, 0xed66e702dbcf1542 } },
};

static const struct {
    const char *text;
    uint64_t hash;
} texts[] = {
    { "", 0xef46db3751d8e999 },
    { "a", 0xd24ec4f1a98c6e5b },
    { "abc", 0x44bc2cf5ad770999 },
    { "xxhash", 0x32dd38952c4bc720 },
    { "Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1 },
};

static void fill(unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(i * 7 + (i >> 8) * 13 + 1);
}

static void hash_agrees_with_the_reference(void **state)
{
    unsigned char bytes[4099];

    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < MW_COUNT(vectors); i++)
        for (size_t s = 0; s < MW_COUNT(seeds); s++)
            if (mw_hash64(bytes, vectors[i].length, seeds[s]) != vectors[i].hash[s])
                fail_msg("length %zu, seed %zu", vectors[i].length, s);
    for (size_t i = 0; i < MW_COUNT(texts); i++)
        assert_true(mw_hash64(texts[i].text, strlen(texts[i].text), 0) == texts[i].hash);
    assert_true(mw_hash64(NULL, 0, 0) == texts[0].hash);
}

static void hash_ignores_alignment(void **state)
{
    unsigned char bytes[256], moved[256 + 8];

    fill(bytes, sizeof bytes);
    for (size_t shift = 0; shift < 8; shift++) {
        memcpy(moved + shift, bytes, sizeof bytes);
        assert_true(mw_hash64(moved + shift, sizeof bytes, 1) == mw_hash64(bytes, sizeof bytes, 1));
    }
}

/* Words are hashed by value, independent of the byte order of the machine. */
static void words_hash_alike_on_all_machines(void **state)
{
    unsigned char bytes[96];
    uint64_t wide[12] = { 0 };
    uint32_t narrow[24] = { 0 };
    uint16_t short_words[48] = { 0 };
    struct mw_hasher h;

    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        wide[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
        narrow[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
        short_words[i / 2] = (uint16_t)(short_words[i / 2] | bytes[i] << 8 * (i % 2));
    }
    mw_hasher_start(&h, 5);
    mw_hasher_add_words(&h, wide, 12, 8);
    mw_hasher_add_words(&h, narrow, 24, 4);
    mw_hasher_add_words(&h, short_words, 48, 2);
    mw_hasher_add_words(&h, bytes, 96, 1);
    unsigned char all[4 * 96];
    for (size_t i = 0; i < sizeof all; i++)
        all[i] = bytes[i % 96];
    assert_true(mw_hasher_end(&h) == mw_hash64(all, sizeof all, 5));
}

static void streaming_gives_the_same(void **state)
{
    unsigned char bytes[1500];

    seed_random();
    fill(bytes, sizeof bytes);
    for (int round = 0; round < 2000; round++) {
        size_t n = (size_t)rand() % sizeof bytes, most = 1 + (size_t)rand() % 100;
        uint64_t key = (uint64_t)rand() * 0x100000001u;
        struct mw_hasher h;
        mw_hasher_start(&h, key);
        for (size_t at = 0, part; at < n; at += part) {
            part = (size_t)rand() % (most + 1);
            part = part < n - at ? part : n - at;
            mw_hasher_add(&h, bytes + at, part);
        }
        assert_true(mw_hasher_end(&h) == mw_hash64(bytes, n, key));
        assert_true(mw_hasher_end(&h) == mw_hash64(bytes, n, key)); /* reading the result does not change it */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_agrees_with_the_reference),
        cmocka_unit_test(hash_ignores_alignment),
        cmocka_unit_test(words_hash_alike_on_all_machines),
        cmocka_unit_test(streaming_gives_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
