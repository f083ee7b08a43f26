import type { ReactNode } from 'react'
import { minorDigits } from '#contract/money.ts'
import { formatMoney, formatRate } from '../format.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import type { FieldProps, FormWith } from '../ui/contract-form.tsx'
import { RadioField, RateField, useNotes } from '../ui/fields.tsx'
import { CloseIcon, PlusIcon } from '../ui/icons.tsx'
import { shareAtRate } from '../ui/numbers.ts'
import { basicWords } from '../words/basic.ts'
import { commissionWords } from '../words/commissions.ts'
import { labelWords } from '../words/fields.ts'
import styles from './CommissionFields.module.css'

/** The example amount for every set of rates: $100.00, or a hundred of the account's currency. */
const example = (currency: string) => 100 * 10 ** minorDigits(currency)

const MOST_LAYERS = 10

/** A form's rates: numbers, or text while the input is not a number. */
export type TypedRates = readonly (number | string)[]
export type CommissionValue = { layerRates: TypedRates } | null

type RowsProps = {
  /** The field of the whole list, labelled by `allLayers`. */
  list: FieldProps<TypedRates>
  /** The field of one rate, counted from 0. */
  rateAt: (at: number, label: string) => FieldProps<number | string>
  currency: string
}

/** Editable rates by layer, with the earnings of each on the example and their sum. */
export function RateFields({ list, rateAt, currency }: RowsProps) {
  const rates = list.value
  const { notes } = useNotes(list.id, undefined, list.error)
  return (
    <div id={list.id} tabIndex={-1}>
      <Example currency={currency} />
      {rates.map((rate, at) => {
        const number = at + 1
        const label = commissionWords.layerRate({ number })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its place
          <div key={at} className={`row gap-3 ruled ${styles.layer}`}>
            <LayerName at={at} />
            <div className={`labels-hidden ${styles.rate}`}>
              <RateField {...rateAt(at, label)} />
            </div>
            {rates.length > 1 && (
              <IconButton
                small
                label={commissionWords.removeLayer({ number })}
                icon={<CloseIcon size={16} className="muted" />}
                onClick={() => list.onChange(rates.filter((_, other) => other !== at))}
              />
            )}
            <strong>{earned(rate, currency)}</strong>
          </div>
        )
      })}
      <Sum rates={rates} currency={currency} />
      {notes}
      {rates.length < MOST_LAYERS && (
        <Button small icon={<PlusIcon size={16} />} onClick={() => list.onChange([...rates, 0])}>
          {commissionWords.addLayer}
        </Button>
      )}
    </div>
  )
}

type Props = {
  /** Null settings mean the account's. */
  form: FormWith<{ commissionSettings: CommissionValue }>
  /** The account's own rates. */
  inherited: readonly number[]
  currency: string
  /** Below the rates: their effect on past sales. */
  effect?: ReactNode
}

/** 'Use account default' with its rates greyed out, or 'Custom rates'. */
export function CommissionFields({ form, inherited, currency, effect }: Props) {
  const { field: fieldAt } = form
  const field = fieldAt('commissionSettings', labelWords.commission)
  const custom = field.value !== null
  return (
    <>
      <RadioField
        {...field}
        error={custom ? undefined : field.error}
        legendHidden
        value={custom ? 'custom' : 'default'}
        choices={[
          { value: 'default', label: commissionWords.accountDefault },
          { value: 'custom', label: commissionWords.custom },
        ]}
        onChange={(choice) => field.onChange(choice === 'custom' ? { layerRates: inherited } : null)}
      />
      {custom ? (
        <RateFields
          list={fieldAt('commissionSettings.layerRates', commissionWords.allLayers)}
          rateAt={(at, label) => fieldAt(`commissionSettings.layerRates.${at}`, label)}
          currency={currency}
        />
      ) : (
        <InheritedRates id={`${field.id}-inherited`} rates={inherited} currency={currency} />
      )}
      {effect}
    </>
  )
}

function InheritedRates({ id, rates, currency }: { id: string; rates: readonly number[]; currency: string }) {
  return (
    <div>
      <Example currency={currency} note={`${commissionWords.fromAccount}. `} />
      {rates.map((rate, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its place
        <div key={at} className={`row gap-3 ruled ${styles.layer}`}>
          <LayerName at={at} />
          <div className={`labels-hidden ${styles.rate}`}>
            <RateField
              id={`${id}-${at}`}
              name={`${id}-${at}`}
              label={commissionWords.layerRate({ number: at + 1 })}
              value={rate}
              disabled
              onChange={() => undefined}
              onBlur={() => undefined}
            />
          </div>
          <strong>{earned(rate, currency)}</strong>
        </div>
      ))}
      <Sum rates={rates} currency={currency} />
    </div>
  )
}

function Example({ currency, note = '' }: { currency: string; note?: string }) {
  return (
    <div className={`row top muted small ${styles.example}`}>
      <span className="rest">
        {note}
        {commissionWords.newSalesOnly}
      </span>
      <span>{commissionWords.onExample({ amount: formatMoney(example(currency), currency) })}</span>
    </div>
  )
}

function LayerName({ at }: { at: number }) {
  const who =
    at === 0 ? commissionWords.thisPartner : at === 1 ? commissionWords.parentOf : commissionWords.above({ count: at })
  return (
    <span className="rest">
      {commissionWords.layer({ number: at + 1 })} <small className="muted">{who}</small>
    </span>
  )
}

function Sum({ rates, currency }: { rates: TypedRates; currency: string }) {
  const known = rates.filter((rate) => typeof rate === 'number')
  const sum = known.reduce((total, rate) => total + Math.round(rate * 10_000), 0) / 10_000
  return (
    <div className={`row gap-3 ruled strong ${styles.layer}`}>
      <span className="rest">{commissionWords.allLayers}</span>
      <span>{formatRate(sum)}</span>
      <span>{earned(sum, currency)}</span>
    </div>
  )
}

const earned = (rate: number | string, currency: string) =>
  typeof rate === 'number' ? formatMoney(shareAtRate(example(currency), rate), currency) : basicWords.absent
