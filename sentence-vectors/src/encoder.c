// The encoder of universal-sentence-encoder-multilingual-3 for one text at a time, with 128-bit vectors of WebAssembly: three stacks
// of convolutions over 2, 3 and 5 pieces of words, their sum over the text, and four layers after it. `scripts/build.sh` compiles it to
// data/encoder.wasm. It allocates once, and its time is linear in the number of pieces.
#define WORD 512
#define PART 256
#define PARTS 3
#define ALL (WORD + PARTS * PART)
#define HIDDEN 320
#define MAX_PIECES 128
#define CHUNKS 17
/** Pieces beside a text, for windows that reach out of it. */
#define AROUND 2
#define ROUNDED ((MAX_PIECES + 2 * AROUND + 4) * WORD)
#include "numbers.h"

typedef struct {
  int width, left;
  const float *firstBias, *secondBias;
  Matrix first, second;
} Stack;

static Stack stacks[PARTS] = {{2, 0}, {3, 1}, {5, 2}};
static Matrix projection, out, first, skip, second, third, skipAgain, fourth;
static const float *projectionBias, *projectionNorm, *norm, *outBias, *chunkScale, *chunkLowest;
static const uint8_t *words, *chunkOf;

static float word[MAX_PIECES * WORD], projected[MAX_PIECES * PARTS * PART], hidden[MAX_PIECES * PART];
static float features[MAX_PIECES * ALL], sum[ALL], one[WORD], two[WORD], three[WORD], result[WORD];

/** The product of one row of numbers with a matrix. */
static void times(const Matrix *of, const float *from, float *to) {
  float largest = largestOf(from, of->columns);
  roundRow(from, rounded, of->columns, largest);
  scaleOf[0] = largest / MOST;
  multiply(of, rounded, 0, 1, to);
}

/** The parts of the model, in the order in which scripts/make.py writes them. */
void prepare(const float *floats, const int8_t *weights, const uint8_t *rows, const uint8_t *chunks) {
  words = rows;
  chunkOf = chunks;
  projectionBias = floats;
  projectionNorm = floats += PARTS * PART;
  floats += 2 * PARTS * PART;
  for (int s = 0; s < PARTS; s++) {
    stacks[s].firstBias = floats;
    stacks[s].secondBias = floats + PART;
    floats += 2 * PART;
  }
  norm = floats;
  outBias = floats += 2 * ALL;
  chunkScale = floats += WORD;
  chunkLowest = floats += CHUNKS;
  floats += CHUNKS;
  weights = take(&projection, weights, &floats, PARTS * PART, WORD);
  for (int s = 0; s < PARTS; s++) {
    weights = take(&stacks[s].first, weights, &floats, PART, stacks[s].width * PART);
    weights = take(&stacks[s].second, weights, &floats, PART, stacks[s].width * PART);
  }
  weights = take(&out, weights, &floats, WORD, ALL);
  weights = take(&first, weights, &floats, HIDDEN, WORD);
  weights = take(&skip, weights, &floats, HIDDEN, WORD);
  weights = take(&second, weights, &floats, HIDDEN, HIDDEN);
  weights = take(&third, weights, &floats, WORD, HIDDEN);
  weights = take(&skipAgain, weights, &floats, WORD, HIDDEN);
  take(&fourth, weights, &floats, WORD, WORD);
}

/** Six bits a number, four numbers in three bytes. */
static void unpack(int id, float *to) {
  const uint8_t *from = words + id * (WORD / 4 * 3);
  float scale = chunkScale[chunkOf[id]], lowest = chunkLowest[chunkOf[id]];
  for (int i = 0; i < WORD; i += 4, from += 3) {
    uint32_t four = from[0] | from[1] << 8 | from[2] << 16;
    for (int k = 0; k < 4; k++, four >>= 6) to[i + k] = (float)(four & 63) * scale + lowest;
  }
}

/** A convolution: each piece with those beside it. Beyond the text, everything is 0. `from` and `to` may be the same. */
static void convolve(const Stack *stack, const Matrix *of, const float *bias, const float *from, float *to, int stride, int count) {
  float largest = largestOf(from, count * PART);
  __builtin_memset(rounded, 0, AROUND * PART * 2);
  for (int t = 0; t < count; t++) roundRow(from + t * PART, rounded + (t + AROUND) * PART, PART, largest);
  __builtin_memset(rounded + (count + AROUND) * PART, 0, (AROUND + 4) * PART * 2);
  for (int t = 0; t < count; t++) scaleOf[t] = largest / MOST;
  multiply(of, rounded + (AROUND - stack->left) * PART, PART, count, word);
  for (int t = 0; t < count; t++)
    for (int i = 0; i < PART; i++)
      to[t * stride + i] = __builtin_fmaxf(word[t * PART + i] + bias[i], 0) + from[t * PART + i];
}

static float tangent(float of) {
  float twice = power(__builtin_fmaxf(-20, __builtin_fminf(20, 2 * of)));
  return (twice - 1) / (twice + 1);
}

/** The vector of a text of `count` pieces, at most MAX_PIECES. */
float *encode(const int32_t *ids, int count) {
  for (int t = 0; t < count; t++) {
    unpack(ids[t], word + t * WORD);
    float largest = largestOf(word + t * WORD, WORD);
    scaleOf[t] = largest / MOST;
    roundRow(word + t * WORD, rounded + t * WORD, WORD, largest);
    for (int i = 0; i < WORD; i++) features[t * ALL + i] = word[t * WORD + i];
  }
  multiply(&projection, rounded, WORD, count, projected);
  for (int t = 0; t < count; t++) {
    for (int i = 0; i < PARTS * PART; i++) projected[t * PARTS * PART + i] += projectionBias[i];
    normalise(projected + t * PARTS * PART, PARTS * PART, projectionNorm, PARTS * PART);
  }
  for (int s = 0; s < PARTS; s++) {
    const Stack *stack = &stacks[s];
    for (int t = 0; t < count; t++)
      for (int i = 0; i < PART; i++) hidden[t * PART + i] = projected[t * PARTS * PART + s * PART + i];
    convolve(stack, &stack->first, stack->firstBias, hidden, hidden, PART, count);
    convolve(stack, &stack->second, stack->secondBias, hidden, features + WORD + s * PART, ALL, count);
  }
  for (int i = 0; i < ALL; i++) sum[i] = 0;
  for (int t = 0; t < count; t++) {
    normalise(features + t * ALL, ALL, norm, ALL);
    for (int i = 0; i < ALL; i++) sum[i] += features[t * ALL + i];
  }
  float root = 1 / __builtin_sqrtf((float)count);
  times(&out, sum, result);
  for (int i = 0; i < WORD; i++) result[i] = (result[i] + (float)count * outBias[i]) * root;
  times(&first, result, one);
  for (int i = 0; i < HIDDEN; i++) one[i] = __builtin_fmaxf(one[i], 0);
  times(&skip, result, two);
  times(&second, one, three);
  for (int i = 0; i < HIDDEN; i++) two[i] = __builtin_fmaxf(two[i] + three[i], 0);
  times(&third, two, one);
  for (int i = 0; i < WORD; i++) one[i] = __builtin_fmaxf(one[i], 0);
  times(&skipAgain, two, result);
  times(&fourth, one, three);
  float square = 0;
  for (int i = 0; i < WORD; i++) {
    result[i] = tangent(result[i] + three[i]);
    square += result[i] * result[i];
  }
  float by = 1 / __builtin_sqrtf(square);
  for (int i = 0; i < WORD; i++) result[i] *= by;
  return result;
}
