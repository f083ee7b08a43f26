import { Link } from '@tanstack/react-router'
import { changeAccountTerms } from '#contract/terms.ts'
import { Message } from '../ui/Message.tsx'
import { usePermission } from '../ui/permissions.ts'
import { zeroRateWords } from '../words/commissions.ts'
import type { TermsValue } from './terms.ts'

/** Returns whether all rates are zero. */
export const areZero = (rates: readonly (number | string)[]) => rates.every((rate) => rate === 0)

const payNothing = ({ rules, otherwise }: TermsValue) =>
  rules.length === 0 && areZero(otherwise.layerAmounts ?? otherwise.layerRates ?? [])

/** A link to the settings with the rates of the whole account. */
export function SetRates() {
  if (!usePermission()(changeAccountTerms)) return null
  return (
    <Link to="/account/settings" search={{ tab: 'commission' }}>
      {zeroRateWords.set}
    </Link>
  )
}

type Props = {
  /** The form's own terms; null for those of the account. */
  custom: TermsValue | null
  inherited: TermsValue
}

/** Warns that what a form adds earns nothing. */
export const ZeroRatesWarning = ({ custom, inherited }: Props) =>
  payNothing(custom ?? inherited) && (
    <Message kind="warning" action={!custom && <SetRates />}>
      {custom ? zeroRateWords.custom : zeroRateWords.inherited}
    </Message>
  )
