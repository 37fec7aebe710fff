// The encoder of all-MiniLM-L6-v2 for one text at a time, with 128-bit vectors of WebAssembly: six layers of attention, and the mean of
// what they say of each piece. `scripts/build.sh` compiles it to data/english.wasm. It allocates once.
#define SIZE 384
#define HEADS 12
#define HEAD (SIZE / HEADS)
#define INNER 1536
#define LAYERS 6
#define MAX_PIECES 64
#define ROUNDED ((MAX_PIECES + 4) * INNER)
#include "numbers.h"

typedef struct {
  Matrix three, out, up, down;
  const float *threeBias, *outBias, *outNorm, *upBias, *downBias, *downNorm;
} Layer;

static Layer layers[LAYERS];
static const float *positions, *wordNorm, *wordScales;
static const uint8_t *words;

static float text[MAX_PIECES * SIZE], asked[MAX_PIECES * 3 * SIZE], seen[MAX_PIECES * SIZE];
static float more[MAX_PIECES * SIZE], inner[MAX_PIECES * INNER], shares[MAX_PIECES], result[SIZE];

/** The parts of the model, in the order in which scripts/english.py writes them. */
void prepare(const float *floats, const int8_t *weights, const uint8_t *rows, int count) {
  words = rows;
  positions = floats;
  wordNorm = floats += MAX_PIECES * SIZE;
  floats += 2 * SIZE;
  for (Layer *layer = layers; layer < layers + LAYERS; layer++) {
    layer->threeBias = floats;
    layer->outBias = floats += 3 * SIZE;
    layer->outNorm = floats += SIZE;
    layer->upBias = floats += 2 * SIZE;
    layer->downBias = floats += INNER;
    layer->downNorm = floats += SIZE;
    floats += 2 * SIZE;
  }
  wordScales = floats;
  floats += count;
  for (Layer *layer = layers; layer < layers + LAYERS; layer++) {
    weights = take(&layer->three, weights, &floats, 3 * SIZE, SIZE);
    weights = take(&layer->out, weights, &floats, SIZE, SIZE);
    weights = take(&layer->up, weights, &floats, INNER, SIZE);
    weights = take(&layer->down, weights, &floats, SIZE, INNER);
  }
}

/** Six bits a number, four numbers in three bytes. */
static void unpack(int id, float *to) {
  const uint8_t *from = words + id * (SIZE / 4 * 3);
  float scale = wordScales[id];
  for (int i = 0; i < SIZE; i += 4, from += 3) {
    uint32_t four = from[0] | from[1] << 8 | from[2] << 16;
    for (int k = 0; k < 4; k++, four >>= 6) to[i + k] = ((float)(four & 63) - 32) * scale;
  }
}

/** The product of rows of numbers with a matrix, and a bias. */
static void times(const Matrix *of, const float *bias, const float *from, float *to, int count) {
  int rows = of->rows, columns = of->columns;
  for (int t = 0; t < count; t++) {
    float largest = largestOf(from + t * columns, columns);
    roundRow(from + t * columns, rounded + t * columns, columns, largest);
    scaleOf[t] = largest / MOST;
  }
  multiply(of, rounded, columns, count, to);
  for (int t = 0; t < count; t++)
    for (int i = 0; i < rows; i++) to[t * rows + i] += bias[i];
}

/** What each piece takes from the others. `asked` has the queries, keys and values of a piece beside each other. */
static void attend(int count) {
  float by = 1 / __builtin_sqrtf(HEAD);
  for (int head = 0; head < HEADS; head++)
    for (int t = 0; t < count; t++) {
      const float *query = asked + t * 3 * SIZE + head * HEAD;
      float most = -1e30f, all = 0;
      for (int k = 0; k < count; k++) {
        const float *key = asked + k * 3 * SIZE + SIZE + head * HEAD;
        float product = 0;
        for (int i = 0; i < HEAD; i++) product += query[i] * key[i];
        shares[k] = product * by;
        most = __builtin_fmaxf(most, shares[k]);
      }
      float *to = seen + t * SIZE + head * HEAD;
      for (int i = 0; i < HEAD; i++) to[i] = 0;
      for (int k = 0; k < count; k++) all += shares[k] = power(__builtin_fmaxf(-80, shares[k] - most));
      for (int k = 0; k < count; k++) {
        const float *value = asked + k * 3 * SIZE + 2 * SIZE + head * HEAD;
        float share = shares[k] / all;
        for (int i = 0; i < HEAD; i++) to[i] += share * value[i];
      }
    }
}

/** Adds what a layer says to the text. */
static void add(const float *norms, int count) {
  for (int i = 0; i < count * SIZE; i++) text[i] += more[i];
  for (int t = 0; t < count; t++) normalise(text + t * SIZE, SIZE, norms, SIZE);
}

/** The vector of a text of `count` pieces, at most MAX_PIECES. */
float *encode(const int32_t *ids, int count) {
  for (int t = 0; t < count; t++) {
    unpack(ids[t], text + t * SIZE);
    for (int i = 0; i < SIZE; i++) text[t * SIZE + i] += positions[t * SIZE + i];
    normalise(text + t * SIZE, SIZE, wordNorm, SIZE);
  }
  for (const Layer *layer = layers; layer < layers + LAYERS; layer++) {
    times(&layer->three, layer->threeBias, text, asked, count);
    attend(count);
    times(&layer->out, layer->outBias, seen, more, count);
    add(layer->outNorm, count);
    times(&layer->up, layer->upBias, text, inner, count);
    for (int i = 0; i < count * INNER; i++) {
      float of = inner[i];
      // The tangent that stands for the error function in GELU.
      float steep = __builtin_fmaxf(-80, __builtin_fminf(80, -1.5957691f * (of + 0.044715f * of * of * of)));
      inner[i] = of / (1 + power(steep));
    }
    times(&layer->down, layer->downBias, inner, more, count);
    add(layer->downNorm, count);
  }
  float square = 0;
  for (int i = 0; i < SIZE; i++) {
    result[i] = 0;
    for (int t = 0; t < count; t++) result[i] += text[t * SIZE + i];
    square += result[i] * result[i];
  }
  float by = 1 / __builtin_sqrtf(square);
  for (int i = 0; i < SIZE; i++) result[i] *= by;
  return result;
}
