import { applyDecorators, SetMetadata, type Type } from "@nestjs/common";
import { ApiExtension } from "@nestjs/swagger";

const GROUP = "parley:operation-group";
const ID = "parley:operation-id";

/** The group of a controller's operations, if it differs from the name of the class. */
export const OperationGroup = (group: string): ClassDecorator =>
  applyDecorators(SetMetadata(GROUP, group), ApiExtension("x-operation-group", group));

/** The id of an operation whose group or verb differs from its class and method. */
export const OperationId = (id: `${string}.${string}`): MethodDecorator =>
  applyDecorators(SetMetadata(ID, id), ApiExtension("x-operation-id", id));

/** `ApiKeysController` and `rotate` as `apiKeys.rotate`. */
export const operationId = (controller: string, method: string): string =>
  `${controller[0]!.toLowerCase()}${controller.slice(1).replace(/Controller$/, "")}.${method}`;

/** The id of the operation that a method of a controller handles. The OpenAPI document and the audit log name it. */
export function operationOf(controller: Type, handler: object & { name: string }): string {
  const id = Reflect.getMetadata(ID, handler) as string | undefined;
  if (id) return id;
  const group = Reflect.getMetadata(GROUP, controller) as string | undefined;
  return group ? `${group}.${handler.name}` : operationId(controller.name, handler.name);
}
