import { Link } from '@tanstack/react-router'
import { t } from '../words.ts'

/** Whether rates pay nobody. */
export const areZero = (rates: readonly (number | string)[]) => rates.every((rate) => rate === 0)

/** Where an owner sets the rates of the whole account. */
export const SetRates = () => (
  <Link to="/account/settings" search={{ tab: 'commission' }}>
    {t('zeroRates.set')}
  </Link>
)
