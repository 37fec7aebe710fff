/** @throws Error if a GET route is neither measured nor left out, or if one that is named there is not in the document */
export function assertComplete(openapi: { paths: Record<string, object> }): void;
