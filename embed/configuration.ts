/** The six elements of a page an owner can point at. */
export type ElementKey = 'firstName' | 'lastName' | 'email' | 'phone' | 'fieldsContainer' | 'submitButton'

/** The four of them that hold what a lead is made of. */
export type FieldKey = 'firstName' | 'lastName' | 'email' | 'phone'

export type ElementSelector = {
  selectorType: 'id' | 'class' | 'name' | 'default' | 'query-selector'
  /** As typed; empty for `default`. */
  selectorValue: string
}

export type ConsentMode = 'off' | 'required' | 'cookieless'

/** What the script knows about the account whose page it is on. Nothing in it is secret. */
export type EmbedConfiguration = {
  /** Where leads and clicks go, without their last part. */
  endpoint: string
  config: Record<ElementKey, ElementSelector>
  /** Of the account's link blueprints, each once. */
  parameterNames: readonly string[]
  /** The longest attribution window of the account's link blueprints, in days. */
  cookieDays: number
  /** The first partner keeps the visitor; else the latest one gets them. */
  firstTouch: boolean
  onlyIfReferred: boolean
  consentMode: ConsentMode
}

/** CSS for each element; empty where the script has to guess. */
export type Selectors = Record<ElementKey, string>

/** What stands in the line before the script. */
export type ServedConfiguration = Omit<EmbedConfiguration, 'config'> & { selectors: Selectors }

/** The CSS an owner's selector stands for; empty for `default`. */
export function cssOf({ selectorType, selectorValue }: ElementSelector): string {
  if (selectorType === 'default') return ''
  if (selectorType === 'id') return `[id=${quoted(selectorValue.replace(/^#/, ''))}]`
  return selectorType === 'name' ? `[name=${quoted(selectorValue)}]` : selectorValue
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"`

/**
 * The whole of an account's script: one line with the account's configuration, then the compiled script,
 * in a function of their own so that the page gets no name from them but `tributary`.
 * The JSON is safe as JavaScript and inside a `<script>` element. To be served as UTF-8.
 */
export function renderEmbedScript(compiled: string, configuration: EmbedConfiguration): string {
  const { config, ...same } = configuration
  const served: ServedConfiguration = {
    ...same,
    selectors: {
      firstName: cssOf(config.firstName),
      lastName: cssOf(config.lastName),
      email: cssOf(config.email),
      phone: cssOf(config.phone),
      fieldsContainer: cssOf(config.fieldsContainer),
      submitButton: cssOf(config.submitButton),
    },
  }
  const json = JSON.stringify(served).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `!function(){var tributaryConfiguration=${json};\n${compiled.trim()}\n}()\n`
}
