import type http from "node:http";

export function obey(request: object, response: http.ServerResponse, knows?: readonly string[]): object | undefined;
