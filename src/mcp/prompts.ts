import { type Argument, checkArguments } from './arguments.ts'

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: Argument[]
  /** What the user would say to the agent. */
  text(given: Record<string, string>): string
}

/** Ready-made tasks. Names in backquotes are tools. */
export const prompts: Prompt[] = [
  {
    name: 'write_client_test',
    title: 'Write a client test for…',
    description: 'Write code against the API, and prove what it does when the API fails',
    arguments: [
      {
        name: 'what',
        description: 'What the code should do, such as: create an API key and retry after 503',
        required: true,
      },
      { name: 'runner', description: 'What runs the test, such as vitest (the one of the project)', required: false },
    ],
    text: ({ what, runner = 'the test runner of this project' }) => `Write a client and a test for this: ${what}

Work against edgesim, a local simulator of the API, with its tools:
1. \`describe_api\` and \`describe_operation\` tell what the API takes and answers. The resource edgesim://docs/api.md says the rest.
2. \`create_sandbox\` creates an isolated account: send requests to its url with its token. The code must take both from outside.
3. Write the code, and a test that runs with ${runner}.
4. \`use_scenario\` breaks the API as the task asks (edgesim://docs/scenarios.md; \`check_scenario\` checks one). \`clear_requests\`, then run the test.
5. \`verify_requests\` proves what the code sent: put the expectation into the test too. \`get_scenario\` tells whether each rule fired.
6. If something is not as expected, \`list_requests\` and \`explain_request\` say why. Fix the code, \`reset\`, \`use_scenario\` again, and run it again.
7. \`drop_sandbox\`. Report what you proved, and what you did not.`,
  },
  {
    name: 'why_did_it_fail',
    title: 'Find out why this request failed',
    description: 'Explain an answer of the API, and fix what caused it',
    arguments: [
      {
        name: 'id',
        description: 'An operation id: details.operation_id of the error (the latest request that failed)',
        required: false,
      },
      { name: 'sandbox', description: 'The sandbox that it went to', required: false },
    ],
    text: ({
      id,
      sandbox,
    }) => `Find out why ${id ? `the request ${id}` : 'the latest request that failed'} was answered as it was${sandbox ? `, in the sandbox ${sandbox}` : ''}.

1. ${id ? `\`explain_request\` with the id ${id}` : '`list_requests` finds it (status 4xx or 5xx, or the text null where no answer came); `explain_request`'} shows the request, the answer and what decided it.
2. The explanation names a section of edgesim://docs/api.md: read it. If it names an assumption, \`list_assumptions\` tells its reason and the alternatives.
3. If a rule of a scenario fired, \`get_scenario\` shows it: the failure is on purpose, and the code has to handle it.
4. Find the code that sent the request, and say what to change. To try it: \`rewind\` takes the state back to just before the request, \`call_api\` sends another one.`,
  },
]

/** The text of a prompt, with its arguments in it; throws an ArgumentError. */
export function promptText(prompt: Prompt, given: Record<string, string>): string {
  // Some clients send an empty text for an argument that was left out.
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  checkArguments(prompt.name, prompt.arguments, filled)
  return prompt.text(filled)
}
