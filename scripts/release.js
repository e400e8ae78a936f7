// node scripts/release.js write: dates the changelog, and writes the version of package.json to the files that contain it.
// `npm version X.Y.Z` runs it before it commits and tags.
// node scripts/release.js check TAG: prints the notes of the release, or why the tag must not be published.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const read = file => readFileSync(file, 'utf8')
const readJson = file => JSON.parse(read(file))
const { version, repository } = readJson('package.json')

const UNRELEASED = '## Unreleased'

/** The Install section of the README after the first release. */
const INSTALL = `<!-- in an empty folder -->
\`\`\`sh
npm install --save-dev edgesim
\`\`\``

function write() {
  const changelog = read('CHANGELOG.md')
  if (!changelog.includes(`${UNRELEASED}\n`))
    fail([
      `CHANGELOG.md has no section "${UNRELEASED}". Add it with the changes of ${version}, undo the rest with ` +
        '`git checkout package.json package-lock.json`, and run npm version again.',
    ])
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync('CHANGELOG.md', changelog.replace(UNRELEASED, `## ${version} (${today})`))
  const between = /(?<=<!-- install:begin -->\n).*(?=\n<!-- install:end -->)/s
  writeFileSync('README.md', read('README.md').replace(between, INSTALL))
  for (const { parentPath, name } of readdirSync('examples', { recursive: true, withFileTypes: true })) {
    const file = `${parentPath}/${name}`
    if (name === 'package.json' && !parentPath.includes('node_modules'))
      writeFileSync(file, read(file).replace(/edgesim-[\w.-]+\.tgz/, `edgesim-${version}.tgz`))
  }
}

function check(tag) {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`
  const locked = readJson('package-lock.json').version
  const [heading, ...notes] = (read('CHANGELOG.md').split(/^## /m)[1] ?? '').split('\n')
  const problems = [
    tag !== `v${version}` && `The tag is ${tag}, but the version in package.json is ${version}.`,
    locked !== version && `The version in package-lock.json is ${locked}, but in package.json it is ${version}.`,
    !/^\d+\.\d+\.\d+$/.test(version) && `The version ${version} is not like 1.2.3.`,
    !(heading.startsWith(`${version} (`) && / \(\d{4}-\d\d-\d\d\)$/.test(heading)) &&
      `CHANGELOG.md starts with "${heading}" instead of "${version} (YYYY-MM-DD)".`,
    repository?.url !== url &&
      `package.json does not name this repository, which npm requires: npm pkg set repository.type=git repository.url=${url}`,
  ]
  fail(problems.filter(Boolean))
  console.log(notes.join('\n').trim())
}

function fail(problems) {
  if (problems.length === 0) return
  console.error([...problems, 'CONTRIBUTING.md describes how to release.'].join('\n'))
  process.exit(1)
}

const [mode, tag] = process.argv.slice(2)
if (mode === 'write') write()
else check(tag)
