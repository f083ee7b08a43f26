import { Link } from '@tanstack/react-router'
import { t } from '../words.ts'

/** Returns whether all rates are zero. */
export const areZero = (rates: readonly (number | string)[]) => rates.every((rate) => rate === 0)

/** A link to the settings with the rates of the whole account. */
export const SetRates = () => (
  <Link to="/account/settings" search={{ tab: 'commission' }}>
    {t('zeroRates.set')}
  </Link>
)
