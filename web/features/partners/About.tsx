import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { formatDateAt } from '../../format.ts'
import { ToPartner } from '../../shared/links.tsx'
import { partnerQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { TextPlaceholder } from '../../ui/Panel.tsx'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import styles from './Partners.module.css'
import { invitationQuery } from './queries.ts'

/**
 * The line below a partner's name: email, code and the day they were added; for the owner also the parent, and the day
 * they joined.
 */
export function About({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const { email, referralCode, displayName, parentPartnerId, externalId, agreementVersion } = partner
  return (
    <>
      <span>{email}</span>
      <span>
        {fieldWords.code} <strong>{referralCode}</strong>
        <span className={styles.copy}>
          <CopyButton bare value={referralCode} label={partnerWords.detail.copyCode({ name: displayName })} />
        </span>
      </span>
      {whole && externalId && (
        <span>
          {labelWords.externalId} <strong>{externalId}</strong>
        </span>
      )}
      {whole && agreementVersion !== null && (
        <span>{partnerWords.agreementVersion({ version: agreementVersion })}</span>
      )}
      {whole && parentPartnerId ? (
        <span className={styles.late}>
          <Parent id={parentPartnerId} />
          <Joined partner={partner} />
        </span>
      ) : whole ? (
        <Joined partner={partner} />
      ) : (
        <Added partner={partner} />
      )}
    </>
  )
}

function Parent({ id }: { id: string }) {
  const { data, isLoading } = useQuery(partnerQuery(id))
  if (!data && !isLoading) return null
  return (
    <span>
      {partnerWords.detail.under}{' '}
      {data ? <ToPartner id={id}>{data.displayName}</ToPartner> : <TextPlaceholder width={96} />}
    </span>
  )
}

function Joined({ partner }: { partner: Partner }) {
  const { timeZone } = useAccount()
  const { data, isLoading } = useQuery(invitationQuery(partner))
  if (isLoading) return <TextPlaceholder width={160} />
  if (!data?.acceptedAt) return <Added partner={partner} />
  return <span>{partnerWords.detail.since({ date: formatDateAt(data.acceptedAt, timeZone) })}</span>
}

function Added({ partner }: { partner: Partner }) {
  const { timeZone } = useAccount()
  return <span>{partnerWords.detail.addedOn({ date: formatDateAt(partner.createdAt, timeZone) })}</span>
}
