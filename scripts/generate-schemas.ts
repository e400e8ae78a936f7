import * as z from 'zod'
import { fixtureSchema } from '../src/fixtures/schema.ts'
import { kinds } from '../src/resources/index.ts'

interface SchemaFile {
  /** From the package's folder. */
  file: string
  title: string
  description: string
  schema: z.ZodType
  /** What the members of the outermost object are. */
  members: Record<string, string>
}

/** JSON Schemas that editors check files by. `npm run schemas` writes them, and a test fails while one is stale. */
export const schemaFiles: SchemaFile[] = [
  {
    file: 'fixtures/fixture.schema.json',
    title: 'edgesim fixture',
    description: 'The state a sandbox starts with.',
    schema: fixtureSchema,
    members: {
      ...Object.fromEntries(
        kinds.map(({ table, label, section }) => [table, `${label} records, docs/api.md ${section}`]),
      ),
      _edgesim: 'What edgesim keeps for itself in a database file.',
    },
  },
]

export function renderSchema({ title, description, schema, members }: SchemaFile): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  })
  const properties = Object.entries(rest.properties ?? {}).map(([name, member]) => [
    name,
    members[name] ? { description: members[name], ...(member as object) } : member,
  ])
  return `${JSON.stringify({ $schema, title, description, ...rest, properties: Object.fromEntries(properties) }, null, 2)}\n`
}
