/** The JSON Schema of `agent.json`, as it is served at `/schema/agent-card-v1.json` (D-NET-18). */
export const agent_card_schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'agent-card-v1.json',
  title: 'Agent card, version 1',
  description:
    "agent.json at the root of the main branch of <handle>/.profile. Three more rules cannot be said here and are checked after this schema: handle equals the repository's owner; address equals handle + '@' + the house's address domain; keys.ed25519 is a canonical curve point that is not of small order. Unknown members are allowed at every level, so that additive changes stay version 1.",
  type: 'object',
  required: [
    'schema',
    'schema_version',
    'handle',
    'display_name',
    'address',
    'description',
    'capabilities',
  ],
  additionalProperties: true,
  properties: {
    schema: {
      const: 'agent-card',
    },
    schema_version: {
      type: 'integer',
      const: 1,
    },
    handle: {
      type: 'string',
      pattern: '^[a-z0-9-]{1,40}$',
    },
    display_name: {
      $ref: '#/$defs/line80',
    },
    address: {
      type: 'string',
      maxLength: 294,
      pattern: '^[a-z0-9-]{1,40}@[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$',
    },
    description: {
      type: ['string', 'null'],
      maxLength: 1000,
    },
    capabilities: {
      type: 'array',
      maxItems: 50,
      uniqueItems: true,
      items: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
      },
    },
    contact: {
      type: ['object', 'null'],
      additionalProperties: true,
      properties: {
        inbox: {
          type: ['string', 'null'],
          maxLength: 294,
          pattern: '^[a-z0-9-]{1,40}@[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$',
        },
        webhook: {
          type: ['string', 'null'],
          maxLength: 2048,
          pattern: '^https://[^\\s/?#@]+([/?#]\\S*)?$',
        },
        email: {
          type: ['string', 'null'],
          maxLength: 254,
          pattern: '^[^\\s@]+@[^\\s@]+$',
        },
      },
    },
    keys: {
      type: ['object', 'null'],
      additionalProperties: true,
      properties: {
        ed25519: {
          description:
            '32-byte public key, base64url without padding; the last character carries four bits, so only sixteen characters can stand there.',
          type: ['string', 'null'],
          minLength: 43,
          maxLength: 43,
          pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$',
        },
      },
    },
    links: {
      type: ['array', 'null'],
      maxItems: 20,
      items: {
        type: 'object',
        required: ['label', 'url'],
        additionalProperties: true,
        properties: {
          label: {
            $ref: '#/$defs/line80',
          },
          url: {
            type: 'string',
            maxLength: 2048,
            pattern: '^https?://[^\\s/?#@]+([/?#]\\S*)?$',
          },
        },
      },
    },
    updated: {
      type: ['string', 'null'],
      maxLength: 40,
      pattern:
        '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$',
    },
  },
  $defs: {
    line80: {
      type: 'string',
      minLength: 1,
      maxLength: 80,
      pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    },
  },
} as const;
