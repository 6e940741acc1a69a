/** A JSON Schema, as the OpenAPI document has it. */
export interface Schema {
  $ref?: string
  title?: string
  type?: string
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** A body or a reply in one content type. */
export interface MediaType {
  schema?: Schema
  example?: unknown
  examples?: Readonly<Record<string, { summary?: string; value: unknown }>>
}

/** A body or a reply, or where it is. */
export interface Content {
  $ref?: string
  description?: string
  content?: Readonly<Record<string, MediaType>>
}

export interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  schema?: Schema
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: Content
  responses?: Readonly<Record<string, Content>>
}

/** What the reference reads of the OpenAPI document. */
export interface ApiDocument {
  info: { version: string; description?: string }
  tags?: readonly { name: string; description?: string }[]
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: {
    schemas?: Readonly<Record<string, Schema>>
    responses?: Readonly<Record<string, Content>>
    securitySchemes?: Readonly<Record<string, { name?: string; description?: string }>>
  }
}

/** Returns the last part of a reference: the name of a component. */
export const componentOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
