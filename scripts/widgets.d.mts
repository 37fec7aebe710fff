export function buildWidgets(): Promise<void>;
