import type { Type } from "@nestjs/common";
import { type Document, refTo } from "./document.js";

/** Something that is sent to a server of the tenant: when, and what its `data` is. */
export type Webhooks = Readonly<Record<string, { when: string; data: Type }>>;
type Header = { description: string; schema: object };

/**
 * Describes what is sent to servers of the tenant, and what they answer. Runs last: the other steps are about requests to us.
 * @param payload what all of them have
 */
export const describeWebhooks =
  (webhooks: Webhooks, payload: Type, tag: string, headers: Readonly<Record<string, Header>>) =>
  (document: Document): void => {
    const parameters = document.components.parameters as Record<string, object>;
    const responses = document.components.responses as Record<string, object>;
    for (const [name, header] of Object.entries(headers))
      parameters[name] = { name, in: "header", required: true, ...header };
    responses.Delivered = { description: "Delivered. Answer within 15 seconds. Anything else is tried three times" };
    responses.Unwanted = { description: "No more, please: the endpoint is disabled" };
    const refs = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }));
    document.webhooks = Object.fromEntries(
      Object.entries(webhooks).map(([type, { when, data }]) => {
        const own = { type: { const: type }, data: { $ref: refTo(nameOf(data)) } };
        const schema = { allOf: [{ $ref: refTo(nameOf(payload)) }, { properties: own }] };
        const post = {
          operationId: `on.${type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: [tag],
          summary: when,
          parameters: refs,
          requestBody: { content: { "application/json": { schema } } },
          responses: {
            "2XX": { $ref: "#/components/responses/Delivered" },
            410: { $ref: "#/components/responses/Unwanted" },
          },
          security: [],
        };
        return [type, { post }];
      }),
    );
  };

const nameOf = ({ name }: Type): string => name.replace(/Dto$/, "");
