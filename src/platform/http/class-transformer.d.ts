/** What `@Type` and `@Transform` noted. class-transformer declares it for another path than the one it can be imported from. */
declare module "class-transformer/cjs/storage.js" {
  export { defaultMetadataStorage } from "class-transformer/types/storage.js";
}
