import { defineConfig } from 'vitest/config'

// Without this file, vitest would use the configuration of this repository, in a folder above.
export default defineConfig({})
