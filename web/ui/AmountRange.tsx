import { type FormEvent, useId, useState } from 'react'
import { beyondMost } from '#contract/typed-numbers.ts'
import { formatMoney } from '../format.ts'
import { ruleWords } from '../words/forms.ts'
import { tableWords, amountWords as words } from '../words/lists.ts'
import styles from './AmountRange.module.css'
import { Button } from './Button.tsx'
import { focusedFirst } from './browser.ts'
import { MoneyField } from './fields.tsx'
import { PanelButton } from './PanelButton.tsx'

type Range = { min?: string; max?: string }

type Props = {
  label: string
  currency: string
  /** Minor units as text, '' if not chosen. */
  min: string
  max: string
  /** Returned money is below zero. */
  signed?: boolean
  onChange: (range: Range) => unknown
}

/** A range of amounts as a filter of a list; empty means all. */
export function AmountFilter({ label, currency, min, max, signed, onChange }: Props) {
  const isChosen = min !== '' || max !== ''
  return (
    <div>
      <PanelButton
        atStart
        name={words.dialog}
        used={isChosen}
        className={styles.panel}
        face={
          <span>
            <span className="muted">{label}</span> <b>{inWords(min, max, currency)}</b>
          </span>
        }
      >
        {(close) => (
          <Fields
            currency={currency}
            min={min}
            max={max}
            signed={signed}
            isChosen={isChosen}
            onTake={(range) => {
              onChange(range)
              close()
            }}
          />
        )}
      </PanelButton>
    </div>
  )
}

type FieldsProps = Pick<Props, 'currency' | 'min' | 'max' | 'signed'> & {
  isChosen: boolean
  onTake: (range: Range) => void
}

/** A typed amount: a number, '' if empty, or the text if it is no amount. */
type Typed = number | string

function Fields({ currency, min, max, signed = false, isChosen, onTake }: FieldsProps) {
  const id = useId()
  const [typed, setTyped] = useState<{ min: Typed; max: Typed }>({ min: amountOf(min), max: amountOf(max) })
  const [isTried, setTried] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    const { min: least, max: most } = typed
    if (isWrong(least, currency) || isWrong(most, currency)) return
    const isReversed = typeof least === 'number' && typeof most === 'number' && least > most
    const [from, to] = isReversed ? [most, least] : [least, most]
    onTake({ ...(from !== '' && { min: String(from) }), ...(to !== '' && { max: String(to) }) })
  }
  const field = (name: 'min' | 'max', label: string) => ({
    id: `${id}${name}`,
    name,
    label,
    currency,
    signed,
    value: typed[name],
    ...(isTried && isWrong(typed[name], currency) && { error: ruleWords.number }),
    onChange: (value: Typed) => setTyped((before) => ({ ...before, [name]: value })),
    onBlur: () => {},
  })
  return (
    <form noValidate className="stack gap-3" onSubmit={submit}>
      <div ref={(element) => focusedFirst(element?.querySelector('input') ?? null)}>
        <MoneyField {...field('min', words.least)} />
      </div>
      <MoneyField {...field('max', words.most)} />
      <div className="row gap-2">
        <Button type="submit" look="primary" small>
          {words.apply}
        </Button>
        {isChosen && (
          <Button look="quiet" small onClick={() => onTake({})}>
            {words.clear}
          </Button>
        )}
      </div>
    </form>
  )
}

const isWrong = (typed: Typed, currency: string) =>
  (typeof typed === 'string' && typed !== '') || beyondMost(typed, currency) !== undefined
// an address may say anything
const amountOf = (text: string): Typed => (/^-?\d{1,13}$/.test(text) ? Number(text) : '')

function inWords(min: string, max: string, currency: string) {
  const [from, to] = [min, max].map((text) => {
    const amount = amountOf(text)
    return typeof amount === 'number' ? formatMoney(amount, currency) : undefined
  })
  if (from !== undefined && to !== undefined) return from === to ? from : words.between({ from, to })
  if (from !== undefined) return words.from({ amount: from })
  return to === undefined ? tableWords.all : words.upTo({ amount: to })
}
