import { useQuery } from '@tanstack/react-query'
import { retryInvitation } from '#contract/auth.ts'
import { useCall } from '../../calls.ts'
import { partnerForecastQuery, partnerQuery } from '../../shared/queries.ts'
import { usePartnerRole } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { portalWords } from '../../words/portal.ts'
import { NextPayout } from './NextPayout.tsx'

const words = portalWords.details

/** In a portal payout details are neither shown nor taken: they need the person's own sign-in. */
export function PayoutsElsewhere() {
  const { partnerId } = usePartnerRole()
  const invite = useCall(retryInvitation)
  const answer = useQuery(partnerQuery(partnerId))
  const { data: forecast } = useQuery(partnerForecastQuery(partnerId))
  return (
    <Page heading={words.heading}>
      <TwoColumns form aside={<NextPayout partnerId={partnerId} />}>
        <PendingPanel heading={words.yours} answer={answer} rows={2}>
          {({ invitationStatus }) => (
            <div className="stack inset">
              <p>{words.why}</p>
              {forecast && (
                <ul>
                  {forecast.howPaid.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              )}
              {invite.error && <Message kind="error">{invite.error.message}</Message>}
              {invite.saved.current && <Message kind="success">{words.invited}</Message>}
              {invitationStatus === 'accepted' ? (
                <p>
                  <a className="strong" href="/auth/sign-in" target="_blank" rel="noopener">
                    {words.signIn}
                  </a>
                </p>
              ) : (
                <div>
                  <Button
                    look="primary"
                    needs={retryInvitation}
                    busy={invite.busy}
                    onClick={() => invite.mutate({ params: { id: partnerId } })}
                  >
                    {words.invite}
                  </Button>
                </div>
              )}
            </div>
          )}
        </PendingPanel>
      </TwoColumns>
    </Page>
  )
}
