import { type Argument, checkArguments } from './arguments.ts'

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: Argument[]
  /** The user's message to the agent. */
  text(given: Record<string, string>): string
}

/** Ready-made tasks. Names in backquotes are tools. */
export const prompts: Prompt[] = [
  {
    name: 'write_client_test',
    title: 'Write a client test for…',
    description: 'Write a client for the API, and test how it handles failures',
    arguments: [
      {
        name: 'what',
        description: 'Task of the code, such as: create an API key and retry after 503',
        required: true,
      },
      {
        name: 'runner',
        description: 'Test runner, such as vitest (default: the test runner of the project)',
        required: false,
      },
    ],
    text: ({ what, runner = 'the test runner of this project' }) => `Write a client and a test for this: ${what}

Work against edgesim, a local simulator of the API, with its tools:
1. Call \`describe_api\` and \`describe_operation\` to learn the requests and responses of the API. The resource edgesim://docs/api.md has more details.
2. Call \`create_sandbox\` to create an isolated account. Send requests to its url with its token. The code must read both from its configuration.
3. Write the code, and a test that runs with ${runner}.
4. Call \`use_scenario\` to inject the faults of the task (see edgesim://docs/scenarios.md). Then run the test.
5. Call \`verify_requests\` to check what the code sent, and add the same expectation to the test. Call \`get_scenario\` to check that each rule fired.
6. If a result is unexpected, call \`list_requests\` and \`explain_request\` to find the cause. Fix the code, call \`reset\` and \`use_scenario\`, and run the test again.
7. Call \`drop_sandbox\`. Report what you verified, and what you did not.`,
  },
  {
    name: 'why_did_it_fail',
    title: 'Find out why a request failed',
    description: 'Explain an API response, and fix its cause',
    arguments: [
      {
        name: 'id',
        description: 'Operation ID: details.operation_id of the error (default: the latest failed request)',
        required: false,
      },
      { name: 'sandbox', description: 'Sandbox of the request', required: false },
    ],
    text: ({
      id,
      sandbox,
    }) => `Find out why ${id ? `the request ${id}` : 'the latest failed request'} got its response${sandbox ? `, in the sandbox ${sandbox}` : ''}.

1. ${id ? `Call \`explain_request\` with the id ${id}` : 'Call `list_requests` to find it (status 4xx or 5xx, or the string null without a response), then `explain_request`'} to see the request, the response and its reason.
2. Read the section of edgesim://docs/api.md in the explanation. If it mentions an assumption, call \`list_assumptions\` for its reason and alternatives.
3. If a scenario rule fired, call \`get_scenario\` to see it. The failure is deliberate, and the code must handle it.
4. Find the code that sent the request, and explain what to change. To test the fix, call \`reset\`, and send a new request with \`call_api\`.`,
  },
]

/** The text of a prompt with its arguments. Throws an ArgumentError. */
export function promptText(prompt: Prompt, given: Record<string, string>): string {
  // Some clients send an empty string for an omitted argument.
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  checkArguments(prompt.name, prompt.arguments, filled)
  return prompt.text(filled)
}
