import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Measures what a feature costs outside its own files: how many files list features, and how many must be edited to
// delete one of them, claims. `node test/drill.ts` prints both; drill.test.ts keeps them from rising.

const root = fileURLToPath(new URL('../', import.meta.url))

/** Features that have nothing to do with each other, by words in the paths and names of what is theirs. */
const UNRELATED = {
  claims: 'claim',
  announcements: 'announcement',
  cases: 'fraud.?case|case',
  reports: 'saved.?report',
  material: 'material|asset',
  rehearsals: 'rehearsal',
  'api-keys': 'api.?key',
  'tax-years': 'tax.?year',
}
/** A file that names so many of them is a list of features. */
const LISTED = 3

/** Files in which the word claim means something else, by what it means there. */
const OTHER_CLAIMS = {
  'what is owed to a person': ['docs/concepts/books.md'],
  'a fact in an identity token': ['server/program/auth/oidc.ts', 'test/fakes/oidc.ts'],
  'that an address is one’s own': [
    'server/program/custom-domains/change-host.ts',
    'server/program/custom-domains/custom-domains.model.slow.test.ts',
    'server/program/custom-domains/custom-domains.test.ts',
    'server/program/custom-domains/judge.ts',
    'server/program/custom-domains/record.ts',
    'server/program/pictures/files.ts',
  ],
  'to take work before other processes': [
    'server/integrations/mail/jobs.ts',
    'server/integrations/payment-providers/queries.ts',
  ],
  'to say whose a delivery is': ['server/integrations/payment-providers/shape.test.ts'],
}
const NAMESAKES = Object.values(OTHER_CLAIMS).flat()

const OWN = /(^|[/-])claims?([./-])|\/MissingSale\./
/** The past: it is never edited. */
const PAST = /\/migrations\/|^contract\/former-names|^CHANGELOG\.md$|^docs\/decisions\/|^test\/support\/releases\//
/** Files that a script writes anew from what the product declares. */
const WRITTEN = /^docs\/(limits|concepts\/retention)\.md$|\/(schema|usual-emails)\.txt$/
const THIS = /^test\/(drill\.|names)/

type File = { path: string; text: string }

export function trackedFiles(): File[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
  const paths = listed.filter(
    (path) =>
      !path.startsWith('features/index.') && /\.(tsx?|css|txt|md)$/.test(path) && !THIS.test(path) && !PAST.test(path),
  )
  return paths.map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))
}

/** Returns the code files that list features. */
export function listsOfFeatures(files: File[]): string[] {
  const features = Object.values(UNRELATED).map((words) => ({
    own: new RegExp(`(^|[/-])(${words})s?([./-])`, 'i'),
    named: new RegExp(`['"\`/_.](${words})s?\\b|\\b(${words})s?['":_]|(${words})[A-Z]`, 'i'),
  }))
  return files
    .filter(({ path }) => /\.(tsx?|txt)$/.test(path) && !features.some(({ own }) => own.test(path)))
    .filter(({ text }) => features.filter(({ named }) => named.test(text)).length >= LISTED)
    .map(({ path }) => path)
}

/** Returns the files of claims, and the others that name it: those must be edited to delete it. */
export function claimsIn(files: File[]): { own: string[]; edits: string[] } {
  const own = files.filter(({ path }) => OWN.test(path))
  const exported = own.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async )?\w+ (\w+)/gm)].map(([, name]) => name!),
  )
  // lower-case words alone have other meanings
  const names = exported.filter((name) => /claim/i.test(name) && !/^claims?$/.test(name) && name !== 'CLAIM_DAYS')
  const named = new RegExp(
    [
      `\\b(${names.join('|')})\\b`,
      // a key, a path, a kind of event
      '[\'"`/]claims?(?=[\'"`./:?])|\\bclaims?: ',
      // a table, a column, a reason of a refusal; `claim_by` is of PayPal
      '\\bclaims_|\\bclaim_(?!by)|\\b(from|into|join|update|table|on) claims\\b',
      // the screens
      '[Mm]issing ?[Ss]ale(?!s\\W+csv)|Claims[\'"< ]',
    ].join('|'),
  )
  const edits = files.filter(
    (file) =>
      !own.includes(file) && !NAMESAKES.includes(file.path) && !WRITTEN.test(file.path) && named.test(file.text),
  )
  return { own: own.map(({ path }) => path), edits: edits.map(({ path }) => path) }
}

if (import.meta.main) {
  const files = trackedFiles()
  const lists = listsOfFeatures(files)
  const { own, edits } = claimsIn(files)
  const show = (title: string, paths: string[]) =>
    process.stdout.write(`${title}: ${paths.length}\n  ${paths.join('\n  ')}\n\n`)
  show('Files that list features', lists)
  show('Files of claims', own)
  show('Files to edit to delete claims', edits)
}
