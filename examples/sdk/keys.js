import { Ngrok } from '@ngrok/ngrok-api'

/** The vendor's SDK, unchanged; only the address differs. */
const ngrok = new Ngrok({ apiToken: process.env.NGROK_API_KEY, baseUrl: process.env.NGROK_API_URL })

const created = await ngrok.apiKeys.create({ description: 'from the SDK', metadata: '{"team":"edge"}' })
console.log(`created ${created.description}, owned by ${created.ownerId}`)

const renamed = await ngrok.apiKeys.update({ id: created.id, description: 'renamed' })
console.log(`now it is ${renamed.description}`)

try {
  await ngrok.apiKeys.get('ak_nobody')
} catch (error) {
  console.log(`ak_nobody: ${error.statusCode}`)
}
