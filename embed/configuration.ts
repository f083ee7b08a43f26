/** The six elements of a page an owner can point at. */
export type ElementKey = 'firstName' | 'lastName' | 'email' | 'phone' | 'fieldsContainer' | 'submitButton'

/** The four of them that contain a lead's data. */
export type FieldKey = 'firstName' | 'lastName' | 'email' | 'phone'

export type ElementSelector = {
  selectorType: 'id' | 'class' | 'name' | 'default' | 'query-selector'
  /** As typed; empty for `default`. */
  selectorValue: string
}

export type ConsentMode = 'off' | 'required' | 'cookieless'

/** Forms that send leads: sign-ups, all, those marked with `data-tributary`, or none. */
export type FormsMode = 'sign-ups' | 'all' | 'marked' | 'none'

/** The script's configuration for the account whose page it is on. Nothing in it is secret. */
export type EmbedConfiguration = {
  /** The account's public id. */
  program: string
  /** Base address of leads and clicks. */
  endpoint: string
  config: Record<ElementKey, ElementSelector>
  /** Parameters that may carry a code, in lower case, each once; the first one with a code counts. */
  names: readonly string[]
  /**
   * Number of parameters, at the beginning, that carry codes of this product; the others also carry those of another
   * program, which have any form.
   */
  plain: number
  /** The longest attribution window of the account's link blueprints, in days. */
  cookieDays: number
  /** Credit stays with the first partner; otherwise it moves to the latest one. */
  firstTouch: boolean
  onlyIfReferred: boolean
  consentMode: ConsentMode
  forms: FormsMode
  /** The site's domains, if there are several, which hand the referral over to each other. */
  domains: readonly string[]
  /** Domains of payment links, besides those of Stripe itself. */
  checkoutDomains: readonly string[]
}

/** The modes by their numbers in the script. */
export const FORMS_MODES: FormsMode[] = ['sign-ups', 'all', 'marked', 'none']

/** The configuration in the script; a list, which is shorter. */
export type ServedConfiguration = [
  /** CSS for each field by its place in `FIELDS`; empty if the script has to guess. */
  selectors: string[],
  fieldsContainer: string,
  submitButton: string,
  formsMode: number,
  program: string,
  endpoint: string,
  names: readonly string[],
  plain: number,
  cookieDays: number,
  firstTouch: boolean,
  onlyIfReferred: boolean,
  consentMode: ConsentMode,
  domains: readonly string[],
  checkoutDomains: readonly string[],
]

/** Returns the CSS for an owner's selector; empty for `default`. */
export function toCss({ selectorType, selectorValue }: ElementSelector): string {
  if (selectorType === 'default') return ''
  if (selectorType === 'id') return `[id=${quoteCss(selectorValue.replace(/^#/, ''))}]`
  return selectorType === 'name' ? `[name=${quoteCss(selectorValue)}]` : selectorValue
}

export const quoteCss = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`

/**
 * Returns an account's whole script: the compiled one with the account's configuration in it, in a block of its own so
 * that `tributary` is the only name the page gets. The JSON is safe as JavaScript and inside a `<script>` element. Must be
 * served as UTF-8.
 */
export function renderEmbedScript(compiled: string, configuration: EmbedConfiguration): string {
  const { config } = configuration
  const served: ServedConfiguration = [
    [toCss(config.email), toCss(config.phone), '', toCss(config.firstName), toCss(config.lastName)],
    toCss(config.fieldsContainer),
    toCss(config.submitButton),
    FORMS_MODES.indexOf(configuration.forms),
    configuration.program,
    configuration.endpoint,
    configuration.names,
    configuration.plain,
    configuration.cookieDays,
    configuration.firstTouch,
    configuration.onlyIfReferred,
    configuration.consentMode,
    configuration.domains,
    configuration.checkoutDomains,
  ]
  const json = JSON.stringify(served).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `try{${compiled.trim().replace('tributaryConfiguration', () => `${json}\n`)}}catch(e){}`
}
