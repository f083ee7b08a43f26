import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateAt } from '../../format.ts'
import { agreementVersionsQuery } from '../../shared/agreement.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { ReadAgreement } from '../../shared/ReadAgreement.tsx'
import { useAccount, useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { agreementWords as words } from '../../words/agreement.ts'

/** The version of the agreement that the partner accepted, and when; nothing without an agreement. */
export function PartnersAgreement({ partnerId }: { partnerId: string }) {
  const account = useAccount()
  const me = useMe()
  const [opened, setOpened] = useState(false)
  const { data } = useQuery(agreementVersionsQuery(account.id, partnerId))
  const { data: own } = useQuery(partnerQuery(partnerId))
  const newest = data?.items[0]
  if (!newest || !own) return null
  const accepted = data.items.map((one) => one.acceptance).find((one) => one?.partnerId === partnerId)
  const isMine = accepted?.userId ? accepted.userId === me.id : accepted?.email === me.email
  const acceptedOn = isMine ? words.acceptedOn : words.wasAccepted
  return (
    <Panel
      heading={words.heading}
      aside={
        <Button small onClick={() => setOpened(true)}>
          {words.read}
        </Button>
      }
    >
      <div className="stack inset">
        <p className="muted">
          {words.version({
            version: newest.version,
            date: formatDateAt(newest.publishedAt, account.timeZone),
          })}
        </p>
        <p>
          {accepted
            ? acceptedOn({ version: accepted.version, date: formatDateAt(accepted.at, account.timeZone) })
            : words.notAccepted}
        </p>
      </div>
      {opened && (
        <ReadAgreement
          account={account}
          partnerId={partnerId}
          waiting={(own.agreementVersion ?? 0) < newest.version}
          onClose={() => setOpened(false)}
        />
      )}
    </Panel>
  )
}
