module.exports = {
  parley: {
    input: "../../openapi.json",
    output: { target: "dist/orval/parley.ts", schemas: "dist/orval/model", client: "fetch", mode: "tags-split" },
  },
};
