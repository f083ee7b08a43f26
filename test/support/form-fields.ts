/** Hostile texts that people may paste: stored unchanged, shown as text, never run. Each fits into 100 characters. */
export const hostileTexts = [
  '<img src=x onerror=window.__run=1>',
  '"><script>window.__run=1</script>',
  'javascript:window.__run=1//',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: typed as it is
  '{{t}} $t(errors.network) ${7*7} {{constructor}} %s %00',
  "'; drop table partners; --",
  `=cmd|' /C calc'!A0`,
  'שלום \u202egnp.exe\u202c مرحبا',
  '👩‍👩‍👧‍👦 🏳️‍🌈 q͑ͫ̓ͪ̂ͫ̽͏̴̙̤ z̃',
] as const

/** Longer than any field accepts. */
export const TOO_LONG = 'x'.repeat(10_000)

/** A typed text, and the field's message or the text shown instead. */
export type Answered = readonly [typed: string, answer: string]

export type Field = {
  /** The field's name at the server; undefined if it is used only in the browser. */
  path?: string
  /** The text that the form is sent with; if `how` is set one of the choices, or of a list of texts. */
  typed: string
  how?: 'choose' | 'pick' | 'tag' | 'tick'
  /** Refused with these messages. */
  refused?: readonly Answered[]
  /** Accepted, and shown in this form. */
  kept?: readonly Answered[]
  /** Never shown again. */
  secret?: true
  /** Sent in minor units. */
  minor?: true
}

let next = 0
/** Returns the hostile texts in turn. */
export const nextHostileText = () => hostileTexts[next++ % hostileTexts.length] as string

export const tooLong = (max: number): Answered => [TOO_LONG, `Use at most ${max} characters`]
export const textField = (path: string, max: number): Field => ({
  path,
  typed: nextHostileText(),
  refused: [['a\u0000b', 'Remove unsupported characters'], tooLong(max)],
})
export const fixedField = (path: string | undefined, typed: string, ...refused: Answered[]): Field => ({
  path,
  typed,
  refused,
})
export const secretField = (path: string | undefined, typed: string, ...refused: Answered[]): Field => ({
  ...fixedField(path, typed, ...refused),
  secret: true,
})
export const keyName = fixedField(
  'name',
  '"><b>עברית</b> =1+1 {{t}} 👩‍👩‍👧‍👦',
  ['a\u0000b', 'Remove unsupported characters'],
  tooLong(40),
)
export const chosenField = (typed: string): Field => ({ typed, how: 'choose' })

export const notAnEmail = 'Enter a valid email address'
export const emailField = (path: string, typed: string) =>
  fixedField(
    path,
    typed,
    ['jane', notAnEmail],
    ['<script>@x', notAnEmail],
    [`${TOO_LONG}@mail.example`, 'Use at most 254 characters'],
  )

export const notANumber = ['1e21', 'abc', '１２', '1,2,3', '0x10', TOO_LONG.replaceAll('x', '1')]
export const numberField = (path: string, typed: string, said: string, wrong = 'Enter a whole number'): Field => ({
  path,
  typed,
  kept: [['1', '1']],
  refused: [
    ...notANumber.map((typed): Answered => [typed, wrong]),
    ['-5', said],
    ['1,000,000,000,000', said],
    ['1.00000000000000000001', wrong],
  ],
})

/** US dollars, or the currency of another sign: 10^12 minor units are accepted, one more is too much. */
export const moneyField = (
  path: string,
  typed: string,
  { least = 'Enter an amount greater than 0', signed = false, sign = '$' } = {},
): Field => {
  const wrong = signed ? 'Enter a number' : 'Enter an amount greater than 0'
  const unclear = 'Enter an amount such as 1,250.00'
  const most = `Enter ${sign}10,000,000,000.00 or less`
  return {
    path,
    typed,
    minor: true,
    kept: [
      ['10000000000', '10,000,000,000.00'],
      [` ${sign}1,234.5`, '1,234.50'],
      ...(signed ? [['-5', '-5.00'] as const] : []),
    ],
    refused: [
      ...notANumber.slice(0, -1).map((typed): Answered => [typed, typed === '1,2,3' ? unclear : wrong]),
      ['1,234.567', unclear],
      ['1.250', unclear],
      ...(signed
        ? [['-10000000000.01', `Enter -${sign}10,000,000,000.00 or more`] as const]
        : [['-5', least] as const]),
      ['10000000000.01', most],
      ['1000000000000', most],
      [TOO_LONG.replaceAll('x', '1'), most],
    ],
  }
}

export const daysField = (path: string, typed: string, said: string) => numberField(path, typed, said)
export const rateField = (path: string) =>
  numberField(path, '12.5', 'Enter a rate from 0 to 100', 'Enter a rate from 0 to 100')
export type FormRow = {
  name: string
  who: 'owner' | 'partner' | 'newOwner' | 'newPartner' | 'administrator' | 'nobody'
  path: string
  h1: string
  /**
   * The button that opens it as a dialog; `*` is in the menu of rare actions, `/` in the menu of the thing with this
   * name.
   */
  open?: string
  /** All rows of its list are selected first. */
  selects?: true
  /** A text in the thing that the button belongs to. */
  of?: string
  /** Some of its fields are behind 'More options'. */
  more?: true
  /** Pressed or chosen before any text is typed, in this order. */
  first?: readonly (string | { label: string; choice: string })[]
  submit: string
  fields: Record<string, Field>
  /** Messages of an empty form, by label. */
  nothing?: Record<string, string>
  /** The button of the dialog that asks once more before the form is sent. */
  confirms?: string
  /** The page may be left with typed text, without a confirmation. */
  unguarded?: true
  /** Its dialog stays open, for another. */
  stays?: true
  /** The button of a dialog that follows. */
  done?: string
  /** The result: a toast, a message, or a heading. */
  said?: string
  alert?: string
  lands?: string
  /** The address of a form that has the typed text in its fields; `update` is below the address after sending. */
  again?: string
  /** The address that shows the typed text; `there` is the address after sending. */
  shown?: string
}

export const requireFields = (...labels: string[]) =>
  Object.fromEntries(labels.map((label) => [label, `${label} is required`]))
export const reasonRequired = requireFields('Reason')
export const reasonField = () => textField('reason', 1000)
