import { useQuery } from '@tanstack/react-query'
import { getSaleMatch, type Sale, type SaleMatch } from '#contract/sales.ts'
import { read } from '../../calls.ts'
import type { ActProps } from '../../ui/act.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Failed, Skeleton } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import { Payer } from './Payer.tsx'
import styles from './Sales.module.css'
import { isPaymentProvider } from './words.ts'

/** The rule that credited a sale, and the results of the rules before it. */
export function MatchDialog({ of: sale, onClose }: ActProps<Sale>) {
  const { data, error, refetch, isFetching } = useQuery(read(getSaleMatch, { params: { id: sale.id } }))
  return (
    <Dialog wide heading={t(sale.partnerId ? 'sales.match.heading' : 'sales.match.headingNone')} onClose={onClose}>
      {!data && error && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {!data && !error && <Skeleton rows={3} />}
      {(sale.payerEmail || sale.providerCustomerId) && (
        <Facts
          beside
          label={t('sales.columns.payer')}
          facts={[{ label: t('sales.columns.payer'), value: <Payer sale={sale} /> }]}
        />
      )}
      {data && <Rules match={data} />}
      {data && data.rule === null && isPaymentProvider(sale.provider) && (
        <div className={styles.rules}>
          <h3>{t('sales.match.nextTime')}</h3>
          <p>
            {t('sales.match.send', { where: t(`sales.match.where.${sale.provider}`) })} {t('sales.match.orCode')}
          </p>
        </div>
      )}
    </Dialog>
  )
}

/** A rule in words and, below it, the rules that did not match. */
export function Rules({ match: { rule, why, others } }: { match: SaleMatch }) {
  return (
    <div className={styles.rules}>
      <p>
        <strong>{t(`sales.matched.${rule ?? 'none'}`)}</strong>
        <br />
        {why}.
      </p>
      <h3>{t('sales.match.others')}</h3>
      {others.length === 0 ? (
        <p className="muted">{t('sales.match.noOthers')}</p>
      ) : (
        <Facts
          beside
          label={t('sales.match.others')}
          facts={others.map(({ rule, why }) => ({ label: t(`sales.rules.${rule}`), value: why }))}
        />
      )}
    </div>
  )
}
