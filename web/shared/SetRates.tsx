import { Link } from '@tanstack/react-router'
import { Message } from '../ui/Message.tsx'
import { zeroRateWords } from '../words/commissions.ts'

/** Returns whether all rates are zero. */
export const areZero = (rates: readonly (number | string)[]) => rates.every((rate) => rate === 0)

/** A link to the settings with the rates of the whole account. */
export const SetRates = () => (
  <Link to="/account/settings" search={{ tab: 'commission' }}>
    {zeroRateWords.set}
  </Link>
)

type Props = {
  /** The form's own rates; null for those of the account. */
  custom: { layerRates: readonly (number | string)[] } | null
  inherited: readonly number[]
}

/** Warns that what a form adds earns nothing. */
export const ZeroRatesWarning = ({ custom, inherited }: Props) =>
  areZero(custom?.layerRates ?? inherited) && (
    <Message kind="warning" action={!custom && <SetRates />}>
      {custom ? zeroRateWords.custom : zeroRateWords.inherited}
    </Message>
  )
