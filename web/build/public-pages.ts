import type { Plugin } from 'vite'
import { basicWords } from '../words/basic.ts'
import { publicPageWords } from '../words/public-pages.ts'

/** The public screens with their title and description. */
const pages = {
  'auth/sign-in': { heading: basicWords.pages.signIn, description: publicPageWords.signIn },
  'auth/reset-password': { heading: basicWords.pages.resetPassword, description: publicPageWords.resetPassword },
  'user-setup': { heading: basicWords.pages.userSetup, description: publicPageWords.userSetup },
  'join/confirm': {
    heading: basicWords.pages.confirmApplication,
    description: publicPageWords.confirmApplication,
  },
  'mail/unsubscribe': { heading: basicWords.pages.unsubscribe, description: publicPageWords.unsubscribe },
}

/**
 * Writes a separate document for each screen before signing in: link previews run no script and use the title and
 * description that the server sends.
 */
export function publicPages(): Plugin {
  return {
    name: 'public-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('There is no document to write the public pages from.')
      for (const [path, { heading, description }] of Object.entries(pages))
        this.emitFile({
          type: 'asset',
          fileName: `${path}.html`,
          source: describe(String(page.source), basicWords.title({ heading }), description),
        })
    },
  }
}

function describe(page: string, title: string, description: string) {
  const replaceContent = (name: string, content: string) => (text: string) =>
    replaceOnce(text, new RegExp(`(<meta ${name} content=")[^"]*`), `$1${content}`)
  return [
    replaceContent('name="description"', description),
    replaceContent('property="og:title"', title),
    replaceContent('property="og:description"', description),
    (text: string) => replaceOnce(text, /(<title>)[^<]*/, `$1${title}`),
  ].reduce((text, change) => change(text), page)
}

function replaceOnce(text: string, what: RegExp, by: string) {
  if (!what.test(text)) throw new Error(`The document has nothing like ${what}.`)
  return text.replace(what, by)
}
