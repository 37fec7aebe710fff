export function format(file: string, text: string): Promise<string>;
