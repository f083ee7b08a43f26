/** A BCP 47 tag: 'en', 'pt-BR', 'de-CH'. Words are those of its language, formats those of the whole tag. */
export type Language = string

/** The languages that are shipped, besides English. */
export const shippedLanguages: readonly Language[] = ['de', 'fr', 'es', 'pt-BR', 'it', 'nl']

let offered: readonly Language[] | null = null

/** Sets the languages that may be chosen besides English: the server alone knows those of its install. */
export function offerLanguages(languages: readonly Language[]) {
  offered = languages
}

/** Whether a language may be chosen, as far as is known here. */
export const isOffered = (language: Language) => language === 'en' || (offered?.includes(language) ?? true)

let current: Language = 'en'

/** Returns the language in which words are read and values are formatted now. */
export const currentLanguage = () => current

/** Sets the language of all that follows: a document has one. */
export function setLanguage(language: Language) {
  current = language
}

/** Runs `render` in another language. It returns no promise: what it awaited would run in the language of others. */
export function withLanguage<Result>(
  language: Language,
  render: () => Result extends PromiseLike<unknown> ? never : Result,
): Result {
  const before = current
  current = language
  try {
    return render()
  } finally {
    current = before
  }
}

/** Whether this is English, of whatever country. */
export const isEnglish = (language: Language = current) => language === 'en' || /^en\b/i.test(language)

/** Asks an account's own host for the words of the account's language, by the tag of a language that isn't known. */
export const OF_HOST: Language = 'und'

const BEFORE_SIGN_IN = /^\/(auth\/|user-setup|join\/confirm|mail\/unsubscribe\/)/

/** Whether the screens at this path are seen before signing in: they show themselves in the language of `?lang=`. */
export const isBeforeSignIn = (path: string) => BEFORE_SIGN_IN.test(path)

/** Returns what a language calls itself: 'Deutsch', 'Português (Brasil)'. */
export function nativeName(language: Language) {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Returns what a language is called in the current one: 'German'. */
export const languageName = (language: Language) =>
  new Intl.DisplayNames(formatTag(), { type: 'language' }).of(language) ?? language

/** Returns the tag whose formats the language has: English has the forms of the United States everywhere. */
export const formatTag = () => (isEnglish() ? 'en-US' : current)

/** Creates a format on first use in each language, and for each other key: it takes a hundred times as long as using it. */
export function inEachLanguage<Format>(create: (tag: string, key: string) => Format) {
  const created = new Map<string, Format>()
  return (key = 'UTC'): Format => {
    const tag = formatTag()
    const place = `${tag} ${key}`
    const format = created.get(place) ?? create(tag, key)
    created.set(place, format)
    return format
  }
}
