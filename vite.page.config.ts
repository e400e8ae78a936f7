import { defineConfig } from 'vite'
import { notices } from './scripts/notices.ts'

/** The page: files of its own with hashed names, nothing inline, so that its Content-Security-Policy can be strict. */
export default defineConfig({
  root: 'src/dashboard',
  base: './',
  publicDir: false,
  plugins: [notices()],
  build: {
    outDir: '../../dist/page',
    // The documents are written by the server, and share only the look.
    rollupOptions: { input: ['src/dashboard/index.html', 'src/dashboard/styles/docs.css'] },
    emptyOutDir: true,
    target: 'es2023',
    cssTarget: 'chrome123',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
})
