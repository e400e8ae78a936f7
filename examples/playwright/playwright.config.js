import { defineConfig } from '@playwright/test'

const port = process.env.PORT ?? '4600'
const url = `http://127.0.0.1:${port}`

// edgesim/playwright creates its sandboxes at this address; your own application can read it too.
process.env.EDGESIM_URL = url

export default defineConfig({
  testMatch: '*.spec.js',
  webServer: {
    command: `npx edgesim fixture.yaml --port ${port}`,
    url: `${url}/_sim/health`,
  },
})
