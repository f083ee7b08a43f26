import { minorDigits } from '#contract/money.ts'
import { shareAtRate } from '#contract/typed-numbers.ts'
import { formatMoney, formatRate } from '../format.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import type { FieldProps } from '../ui/contract-form.tsx'
import { MoneyField, RateField, SelectField, useNotes } from '../ui/fields.tsx'
import { CloseIcon, PlusIcon } from '../ui/icons.tsx'
import { basicWords } from '../words/basic.ts'
import { commissionWords } from '../words/commissions.ts'
import { rewardWords } from '../words/rewards.ts'
import { termsWords } from '../words/terms.ts'
import styles from './PayFields.module.css'
import { type PayKind, payKinds, type TypedPay, type TypedRates } from './terms.ts'

/** The example amount for every set of rates: $100.00, or a hundred of the account's currency. */
const example = (currency: string) => 100 * 10 ** minorDigits(currency)

const MOST_LAYERS = 10

type Props = {
  kind: PayKind
  /** The field of all layers. */
  list: FieldProps<TypedRates | undefined>
  /** The field of one layer, counted from 0. */
  layerAt: (at: number, label: string) => FieldProps<number | string>
  /** Changes between percent and amounts; absent if only percent is possible. */
  onPay?: ((pay: TypedPay) => void) | undefined
  currency: string
  /** Customers are paid on one layer. */
  oneLayer?: boolean
  /** Above the layers. */
  note?: string
}

/** Editable pay by layer: percent, with the earnings of each on the example and their sum, or amounts. */
export function PayFields({ kind, list, layerAt, onPay, currency, oneLayer = false, note }: Props) {
  const layers = list.value ?? []
  const { notes } = useNotes(list.id, undefined, list.error)
  const labelAt = kind === 'layerRates' ? commissionWords.layerRate : commissionWords.layerAmount
  return (
    <div className="stack">
      {onPay && (
        <SelectField
          id={`${list.id}-kind`}
          name="paidAs"
          label={termsWords.paidAs}
          value={kind}
          choices={payKinds.map((value) => ({ value, label: termsWords.payKinds[value] }))}
          onChange={(chosen) => chosen && onPay({ [chosen]: layers.map(() => '') })}
          onBlur={() => undefined}
        />
      )}
      <div id={list.id} tabIndex={-1}>
        <Note text={note} currency={currency} kind={kind} />
        {layers.map((value, at) => {
          const number = at + 1
          const one = layerAt(at, labelAt({ number }))
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its place
            <div key={at} className={`row gap-3 ruled ${styles.layer}`}>
              {oneLayer ? <span className="rest">{rewardWords.referring}</span> : <LayerName at={at} />}
              <div className={`labels-hidden ${styles.pay}`}>
                {kind === 'layerRates' ? <RateField {...one} /> : <MoneyField {...one} currency={currency} />}
              </div>
              {layers.length > 1 && (
                <IconButton
                  small
                  label={commissionWords.removeLayer({ number })}
                  icon={<CloseIcon size={16} className="muted" />}
                  onClick={() => list.onChange(layers.filter((_, other) => other !== at))}
                />
              )}
              {kind === 'layerRates' && <Earned rate={value} currency={currency} />}
            </div>
          )
        })}
        {!oneLayer && <Sum kind={kind} layers={layers} currency={currency} />}
        {notes}
        {layers.length < (oneLayer ? 1 : MOST_LAYERS) && (
          <Button small icon={<PlusIcon size={16} />} onClick={() => list.onChange([...layers, 0])}>
            {commissionWords.addLayer}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Rates that cannot be changed here. */
export function InheritedRates({ id, rates, currency }: { id: string; rates: readonly number[]; currency: string }) {
  return (
    <div>
      <Note
        text={`${commissionWords.fromAccount}. ${commissionWords.newSalesOnly}`}
        currency={currency}
        kind="layerRates"
      />
      {rates.map((rate, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its place
        <div key={at} className={`row gap-3 ruled ${styles.layer}`}>
          <LayerName at={at} />
          <div className={`labels-hidden ${styles.pay}`}>
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
          <Earned rate={rate} currency={currency} />
        </div>
      ))}
      <Sum kind="layerRates" layers={rates} currency={currency} />
    </div>
  )
}

type NoteProps = { text?: string | undefined; currency: string; kind: PayKind }

/** Above the layers: a note, and the head of the column of earnings. */
const Note = ({ text, currency, kind }: NoteProps) => (
  <div className={`row top muted small ${styles.note}`}>
    <span className="rest">{text}</span>
    {kind === 'layerRates' && (
      <span>{commissionWords.onExample({ amount: formatMoney(example(currency), currency) })}</span>
    )}
  </div>
)

function LayerName({ at }: { at: number }) {
  const who =
    at === 0 ? commissionWords.thisPartner : at === 1 ? commissionWords.parentOf : commissionWords.above({ count: at })
  return (
    <span className="rest">
      {commissionWords.layer({ number: at + 1 })} <small className="muted">· {who}</small>
    </span>
  )
}

function Sum({ kind, layers, currency }: { kind: PayKind; layers: TypedRates; currency: string }) {
  const known = layers.filter((one) => typeof one === 'number')
  const amount = known.reduce((total, one) => total + one, 0)
  const rate = known.reduce((total, one) => total + Math.round(one * 10_000), 0) / 10_000
  return (
    <div className={`row gap-3 ruled strong ${styles.layer}`}>
      <span className="rest">{commissionWords.allLayers}</span>
      <span>{kind === 'layerRates' ? formatRate(rate) : formatMoney(amount, currency)}</span>
      {kind === 'layerRates' && <Earned rate={rate} currency={currency} />}
    </div>
  )
}

const Earned = ({ rate, currency }: { rate: number | string; currency: string }) => (
  <strong className={styles.earned}>
    {typeof rate === 'number' ? formatMoney(shareAtRate(example(currency), rate), currency) : basicWords.absent}
  </strong>
)
