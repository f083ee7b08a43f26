import { type ComponentProps, type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import {
  beyondMost,
  currencySign,
  isMeantAsAmount,
  parseMoney,
  parseNumber,
  parseRate,
  typedMoney,
} from '#contract/typed-numbers.ts'
import { MAX_AMOUNT } from '#contract/values.ts'
import { formatMoney } from '../format.ts'
import { basicWords } from '../words/basic.ts'
import { fieldWords } from '../words/fields.ts'
import { formWords, ruleWords } from '../words/forms.ts'
import { Button } from './Button.tsx'
import { Checkbox } from './Checkbox.tsx'
import { copyText } from './copy.ts'
import styles from './fields.module.css'
import { Field, LockNote, TextInput, useNotes } from './form.tsx'
import { CopyIcon, DownIcon } from './icons.tsx'
import { Options } from './Options.tsx'
import type { FieldProps } from './use-form.ts'

export { FieldPair, PasswordField, TextField, useNotes } from './form.tsx'

type Extra = { help?: ReactNode; optional?: boolean; disabled?: boolean }

type LongProps = Omit<FieldProps<string>, 'name' | 'onBlur'> &
  Extra & {
    name?: string
    onBlur?: () => void
    rows?: number
    lang?: string
    /** Takes what is pasted, instead of the field. */
    onPaste?: ((text: string) => void) | undefined
  }

/** Text of several lines. */
function LongText(props: LongProps) {
  const { id, name, label, value, error, help, optional, disabled, rows = 3, lang, onChange, onBlur, onPaste } = props
  const { notes, describedBy } = useNotes(id, help, error)
  return (
    <Field id={id} label={label} optional={optional}>
      <textarea
        id={id}
        name={name}
        rows={rows}
        lang={lang}
        className={`control ${styles.area}`}
        value={value}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.value)}
        onBlur={onBlur}
        onPaste={(event) => {
          if (!onPaste) return
          event.preventDefault()
          onPaste(event.clipboardData.getData('text'))
        }}
      />
      {notes}
    </Field>
  )
}

export const TextAreaField = (props: FieldProps<string> & Extra & Pick<LongProps, 'rows' | 'lang' | 'onPaste'>) => (
  <LongText {...props} />
)

type Choice<T extends string> = { value: T; label: string; lang?: string }

type SelectProps<T extends string> = FieldProps<T | null> &
  Extra & {
    choices: readonly Choice<T>[]
    /** The first choice, meaning `null`: 'None', 'Choose a state'. */
    placeholder?: string | undefined
  }

/** One of a few choices; for long lists of the server see `PickerField`. */
export function SelectField<T extends string>(props: SelectProps<T>) {
  const { id, name, label, value, error, help, optional, disabled, choices, placeholder, onChange, onBlur } = props
  const { notes, describedBy } = useNotes(id, help, error)
  return (
    <Field id={id} label={label} optional={optional}>
      <Select
        id={id}
        name={name}
        value={value}
        disabled={disabled}
        choices={choices}
        placeholder={placeholder}
        onChange={onChange}
        onBlur={onBlur}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy}
      />
      {notes}
    </Field>
  )
}

type BareProps<T extends string> = Pick<SelectProps<T>, 'value' | 'choices' | 'placeholder' | 'onChange'> &
  Omit<ComponentProps<'select'>, 'value' | 'onChange'>

/** The control of a `SelectField` without label: in a table, where head and row name it. */
export function Select<T extends string>({ value, choices, placeholder, onChange, ...rest }: BareProps<T>) {
  const chosen = choices.find((choice) => choice.value === value)?.label
  return (
    // in print it shows the choice
    <div className={`overlaid ${styles.select}`} data-chosen={chosen ?? placeholder}>
      <select
        {...rest}
        className="control"
        value={value ?? ''}
        data-empty={value === null || undefined}
        onChange={(event) => onChange((event.currentTarget.value || null) as T | null)}
      >
        <Options choices={choices} none={placeholder ?? (value === null ? '' : undefined)} />
      </select>
      <DownIcon size={16} />
    </div>
  )
}

type TypedProps<T> = FieldProps<T> &
  Extra & {
    parse: (typed: string) => number | null
    format: (value: number) => string
    /** Message for text that is not a number. */
    wrong: string
    /** Before the input: a currency's sign. */
    sign?: string
    right?: ReactNode
    decimals?: boolean
  }

/**
 * Preserves the text while it is typed. The form gets a number, '' if empty, or the text itself if it is not a number:
 * the schema then refuses it.
 */
function TypedNumber<T>(props: TypedProps<T>) {
  const { id, name, label, value, error, help, optional, disabled, parse, format, wrong, sign, right, decimals } = props
  const shown = (from: unknown) => (typeof from === 'number' ? format(from) : typeof from === 'string' ? from : '')
  const [typed, setTyped] = useState(() => shown(value))
  const reported = useRef<unknown>(value)
  useEffect(() => {
    if (reported.current === value) return
    reported.current = value
    setTyped(typeof value === 'number' ? format(value) : typeof value === 'string' ? value : '')
  }, [value, format])
  const nonsense = typeof value === 'string' && value !== ''
  return (
    <Field id={id} label={label} optional={optional}>
      <TextInput
        id={id}
        name={name}
        value={typed}
        disabled={disabled}
        inputMode={decimals ? 'decimal' : 'numeric'}
        sign={sign}
        right={right}
        help={help}
        error={error && nonsense ? wrong : error}
        onChange={(text) => {
          setTyped(text)
          const next = text.trim() === '' ? '' : (parse(text) ?? text)
          reported.current = next
          props.onChange(next as T)
        }}
        onBlur={() => {
          if (typeof value === 'number') setTyped(format(value))
          props.onBlur()
        }}
      />
    </Field>
  )
}

/** Minor units of an amount with groups in every currency. */
const EXAMPLE = 125_000

type MoneyExtra = {
  currency: string
  /** Negative amounts are allowed. */
  signed?: boolean
}

/** Minor units of `currency`, typed as people write amounts. */
export function MoneyField<T>({ currency, signed, ...props }: FieldProps<T> & Extra & MoneyExtra) {
  const { value } = props
  const beyond = beyondMost(value, currency)
  const isUnclear = typeof value === 'string' && isMeantAsAmount(value)
  const limit =
    beyond === 'above'
      ? ruleWords.most({ amount: formatMoney(MAX_AMOUNT, currency) })
      : beyond && signed && ruleWords.least({ amount: formatMoney(-MAX_AMOUNT, currency) })
  return (
    <TypedNumber
      {...props}
      error={props.error && (limit || props.error)}
      decimals
      parse={(typed) => parseMoney(typed, currency)}
      format={(amount) => typedMoney(amount, currency)}
      wrong={
        limit ||
        (isUnclear
          ? ruleWords.example({ example: typedMoney(EXAMPLE, currency) })
          : signed
            ? ruleWords.number
            : ruleWords.amount)
      }
      sign={currencySign(currency)}
    />
  )
}

const plain = (value: number) => String(value)

/** A whole number, such as days or months. */
export function NumberField<T>(props: FieldProps<T> & Extra & { right?: ReactNode }) {
  return <TypedNumber {...props} parse={parseNumber} format={plain} wrong={ruleWords.wholeNumber} />
}

/** Any number, such as an exchange rate. */
export function DecimalField<T>(props: FieldProps<T> & Extra) {
  return <TypedNumber {...props} decimals parse={parseNumber} format={plain} wrong={ruleWords.number} />
}

/** A percentage; at most 100 by default. */
export function RateField<T>({ wrong = basicWords.rules.rate, ...props }: FieldProps<T> & Extra & { wrong?: string }) {
  return <TypedNumber {...props} decimals parse={parseRate} format={plain} wrong={wrong} right="%" />
}

type DateProps = FieldProps<string> & Extra & { min?: string; max?: string }

/** A day, YYYY-MM-DD. */
export function DateField({
  id,
  name,
  label,
  value,
  error,
  help,
  optional,
  disabled,
  min,
  max,
  onChange,
  onBlur,
}: DateProps) {
  return (
    <Field id={id} label={label} optional={optional}>
      <TextInput
        id={id}
        name={name}
        type="date"
        min={min}
        max={max}
        value={value}
        disabled={disabled}
        help={help}
        error={error}
        onChange={onChange}
        onBlur={onBlur}
      />
    </Field>
  )
}

export function CheckboxField({ id, label, value, error, help, disabled, onChange }: FieldProps<boolean> & Extra) {
  const { notes, describedBy } = useNotes(id, help, error)
  return (
    <div>
      <Checkbox
        id={id}
        label={label}
        checked={value}
        disabled={disabled}
        describedBy={describedBy}
        invalid={Boolean(error)}
        onChange={onChange}
      />
      {notes}
    </div>
  )
}

type ToggleProps = {
  /** Its subject, which is also its name. */
  label: string
  /** The label is elsewhere, such as in the head of a column. */
  labelHidden?: boolean
  /** In a line of facts: the plain label at one end, the switch at the other. */
  spread?: boolean
  checked: boolean
  disabled?: boolean
  id?: string
  describedBy?: string
  onChange: (checked: boolean) => void
}

/** 'Enabled' or 'Disabled', switched at once. */
export function Toggle({ label, labelHidden, spread, checked, disabled, id, describedBy, onChange }: ToggleProps) {
  const locked = useContext(LockNote)
  const labelId = useId()
  return (
    <span className={spread ? `${styles.toggle} ${styles.spread}` : styles.toggle}>
      <span id={labelId} className={labelHidden ? 'visually-hidden' : spread ? undefined : 'strong'}>
        {label}
      </span>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={labelId}
        aria-describedby={describedBy ?? locked}
        disabled={disabled}
        onClick={() => onChange(!checked)}
      >
        <i />
        <span aria-hidden="true">{checked ? fieldWords.enabled : formWords.disabled}</span>
      </button>
    </span>
  )
}

type SwitchProps = FieldProps<boolean> &
  Extra & {
    /** Below its label, like adjacent fields. */
    stacked?: boolean
  }

/** The label at one end of the line, the switch at the other. */
export function SwitchField({ id, label, value, error, help, disabled, stacked, onChange }: SwitchProps) {
  const { notes, describedBy } = useNotes(id, help, error)
  return (
    <div className={stacked ? styles.stackedSwitch : styles.switch}>
      <Toggle id={id} label={label} checked={value} disabled={disabled} describedBy={describedBy} onChange={onChange} />
      {notes}
    </div>
  )
}

type RadioProps<T extends string> = FieldProps<T> &
  Extra & {
    choices: readonly (Choice<T> & { help?: ReactNode })[]
    /** Each choice in its own card, one below the other. */
    cards?: boolean
    /** The legend is for screen readers only: a heading above shows it. */
    legendHidden?: boolean
  }

/** One of a few choices, all visible. */
export function RadioField<T extends string>(props: RadioProps<T>) {
  const { id, label, value, error, help, optional, disabled, choices, cards, legendHidden, onChange, onBlur } = props
  const { notes, describedBy } = useNotes(id, help, error)
  return (
    <div role="radiogroup" id={id} tabIndex={-1} aria-labelledby={`${id}-legend`} aria-describedby={describedBy}>
      <div id={`${id}-legend`} className={legendHidden ? 'visually-hidden' : styles.legend}>
        <span className="strong">{label}</span>
        {optional && <span className="muted"> {basicWords.optional}</span>}
      </div>
      <div className={cards ? 'stack gap-2' : `row ${styles.row}`}>
        {choices.map((choice) => (
          <label key={choice.value} className={cards ? `${styles.radio} ${styles.card}` : styles.radio}>
            <input
              type="radio"
              name={id}
              value={choice.value}
              checked={choice.value === value}
              disabled={disabled}
              aria-describedby={choice.help ? `${id}-${choice.value}` : undefined}
              onChange={() => onChange(choice.value)}
              onBlur={onBlur}
            />
            <span>{choice.label}</span>
            {choice.help && (
              <small id={`${id}-${choice.value}`} className="muted">
                {choice.help}
              </small>
            )}
          </label>
        ))}
      </div>
      {notes}
    </div>
  )
}

export const RadioCards = <T extends string>(props: RadioProps<T>) => <RadioField {...props} cards />

type SecretProps = {
  label: string
  value: string
  help?: ReactNode
  children?: ReactNode
  /** One of several on the page: its buttons include its name. */
  several?: boolean
}

/** A read-only secret: masked until 'Show', with 'Copy'. `children` are further buttons. */
export function SecretField({ label, value, help, children, several }: SecretProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const { notes, describedBy } = useNotes(id, help, undefined)
  return (
    <Field id={id} label={label}>
      <div className={`row ${styles.secret}`}>
        <input
          id={id}
          className="control"
          readOnly
          spellCheck={false}
          type={shown ? 'text' : 'password'}
          autoComplete="off"
          value={value}
          aria-describedby={describedBy}
        />
        <Button
          aria-label={several ? (shown ? formWords.hideValue : formWords.showValue)({ label }) : undefined}
          onClick={() => setShown(!shown)}
        >
          {shown ? formWords.hide : formWords.show}
        </Button>
        <Button
          icon={<CopyIcon size={16} />}
          aria-label={several ? formWords.copyValue({ label }) : undefined}
          onClick={() => copyText(value)}
        >
          {basicWords.actions.copy}
        </Button>
        {children}
      </div>
      {notes}
    </Field>
  )
}

/** A read-only value with a copy button. `copyLabel` names the button: 'Copy address'. */
export function CopyField({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <div className={`row ${styles.secret}`}>
        <input id={id} className="control" readOnly spellCheck={false} value={value} />
        <Button icon={<CopyIcon size={16} />} aria-label={copyLabel} onClick={() => copyText(value)}>
          {basicWords.actions.copy}
        </Button>
      </div>
    </Field>
  )
}
