import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { discountInWords, rewardSentence, worthInWords } from '#contract/reward-sentence.ts'
import { useCall } from '#web/calls.ts'
import { formatCountry, formatMoney, formatRate, formatShortRange, todayIn } from '#web/format.ts'
import { partnerGoalsQuery, progressInWords } from '#web/shared/goals.ts'
import { LinkAddress } from '#web/shared/LinkAddress.tsx'
import { partnerLinksQuery } from '#web/shared/queries.ts'
import { ShowMore } from '#web/shared/ShowMore.tsx'
import { termsStateQuery } from '#web/shared/terms.ts'
import { useAccount, usePartnerRole } from '#web/shell/current.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { copyText } from '#web/ui/copy.ts'
import { CopyIcon } from '#web/ui/icons.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Empty, Panel } from '#web/ui/Panel.tsx'
import { PendingPanel } from '#web/ui/PendingPanel.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { explainRefusal } from '#web/ui/refusals.ts'
import tones from '#web/ui/Tones.module.css'
import { showToast } from '#web/ui/toasts.ts'
import { dashboardWords } from '#web/words/dashboard.ts'
import { changeOwnOffer, type Friend, type FriendRewards, type OwnOffer } from '../contract.ts'
import { inviteWords as words } from '../text.ts'
import styles from './InvitePanel.module.css'
import { friendsQuery, ownOfferQuery } from './queries.ts'

/** A customer's panel in the company's app: their link, and what they get for friends who follow it. */
export function InvitePanel() {
  const { partnerId } = usePartnerRole()
  const { data: offer } = useQuery(ownOfferQuery(partnerId))
  return (
    <div className={styles.panel}>
      <Page heading={words.heading}>
        <Sentence partnerId={partnerId} offer={offer} />
        <YourLink partnerId={partnerId} offer={offer} />
        <Rewards partnerId={partnerId} offer={offer} />
        <Friends partnerId={partnerId} />
        {offer && <FirstName partnerId={partnerId} offer={offer} />}
      </Page>
    </div>
  )
}

const wording = { money: formatMoney, rate: formatRate, country: formatCountry }

type Props = { partnerId: string; offer: OwnOffer | undefined }

/** A sentence of what the friend and the customer get. */
function Sentence({ partnerId, offer }: Props) {
  const { defaultCurrency: currency } = useAccount()
  const { data } = useQuery(termsStateQuery({ of: 'partner', id: partnerId }))
  if (!offer?.reward || !data) return <p className={styles.promise} />
  const { terms, recurringMonths } = data.inForce
  const promise = { offer, reward: offer.reward, terms, recurringMonths, currency }
  return <p className={styles.promise}>{rewardSentence(promise, wording)}</p>
}

function YourLink({ partnerId, offer }: Props) {
  const { displayName: program } = useAccount()
  const answer = useInfiniteQuery(partnerLinksQuery(partnerId, { own: false }))
  const url = answer.data?.pages[0]?.items[0]?.shortUrl
  const discount = offer ? discountInWords(offer, wording) : null
  const text = discount ? words.messageWithDiscount({ program, discount }) : words.message({ program })
  return (
    <PendingPanel heading={dashboardWords.yourLink} answer={answer} rows={2}>
      {() =>
        url ? (
          <div className="stack gap-3 inset">
            <LinkAddress large url={url} />
            <div className="row gap-2">
              <Button look="primary" icon={<CopyIcon size={16} />} onClick={() => copyText(url)}>
                {dashboardWords.copyLink}
              </Button>
              {navigator.share && (
                <Button onClick={() => void navigator.share({ title: program, text, url }).catch(() => {})}>
                  {words.share}
                </Button>
              )}
            </div>
            <ShareLinks url={url} text={text} program={program} />
            {offer?.code && <Code code={offer.code} />}
          </div>
        ) : (
          <Empty hint={words.noLink} />
        )
      }
    </PendingPanel>
  )
}

const Code = ({ code }: { code: string }) => (
  <div className={`row gap-2 ${styles.code}`}>
    <span className="muted">{words.code}</span>
    <code className="wrap strong">{code}</code>
    <CopyButton small value={code} label={words.copyCode({ code })} />
  </div>
)

/** Plain links: the page loads nothing of those whom they lead to. */
function ShareLinks({ url, text, program }: { url: string; text: string; program: string }) {
  const [link, both, subject] = [url, `${text} ${url}`, words.subject({ program })].map(encodeURIComponent)
  const places = [
    [words.email, `mailto:?subject=${subject}&body=${both}`],
    ['WhatsApp', `https://wa.me/?text=${both}`],
    ['X', `https://x.com/intent/post?text=${encodeURIComponent(text)}&url=${link}`],
    ['LinkedIn', `https://www.linkedin.com/sharing/share-offsite/?url=${link}`],
  ] as const
  return (
    <ul className={styles.places} aria-label={words.shareBy}>
      {places.map(([name, href]) => (
        <li key={name}>
          <a href={href} target="_blank" rel="noopener noreferrer" aria-label={words.opensNewTab({ name })}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The rewards by now, and the next goal. */
function Rewards({ partnerId, offer }: Props) {
  const answer = useInfiniteQuery(friendsQuery(partnerId))
  const { data: goals } = useQuery(partnerGoalsQuery(partnerId))
  const { defaultCurrency: currency } = useAccount()
  const rewards = answer.data?.pages[0]?.rewards
  const next = goals?.items.find(({ reached, atLeast }) => !reached && atLeast !== null)
  const worth = (amount: number) => worthInWords(amount, { reward: offer?.reward ?? null, currency }, wording)
  const says = next && progressInWords(next, currency, 'partner', worth)
  return (
    <PendingPanel heading={words.rewards} answer={answer} rows={2}>
      {() => (
        <div className="stack gap-3 inset">
          {rewards && <Totals rewards={rewards} worth={worth} />}
          {next && (
            <div className="stack gap-1 wrap">
              <div>
                <strong>{next.name}</strong>
                <div className="muted">{says}</div>
              </div>
              <ProgressBar label={next.name} done={next.percent} total={100} says={says} />
            </div>
          )}
        </div>
      )}
    </PendingPanel>
  )
}

function Totals({ rewards, worth }: { rewards: FriendRewards; worth: (amount: number) => string }) {
  const { given, onTheirWay } = rewards
  const count = given.count + onTheirWay.count
  if (count === 0) return <p className="muted">{words.none}</p>
  const parts = [
    words.counted({ count }),
    ...(onTheirWay.count > 0 ? [words.onTheirWay({ count: onTheirWay.count })] : []),
  ]
  return (
    <div>
      <p className={styles.totals}>{parts.join(', ')}</p>
      {given.count > 0 && <p className="muted">{words.given({ worth: worth(given.amount) })}</p>}
    </div>
  )
}

const toneOf = {
  'signed-up': tones.waits,
  paid: tones.moves,
  'reward-coming': tones.moves,
  'reward-given': tones.done,
  'no-reward': tones.waits,
} satisfies Record<Friend['status'], string | undefined>

function Friends({ partnerId }: { partnerId: string }) {
  const { timeZone } = useAccount()
  const answer = useInfiniteQuery(friendsQuery(partnerId))
  const today = todayIn(timeZone)
  return (
    <PendingPanel heading={words.friends} answer={answer} rows={4}>
      {({ pages }) => {
        const friends = pages.flatMap(({ items }) => items)
        if (friends.length === 0) return <Empty hint={words.noFriends} />
        return (
          <>
            <ul className="items">
              {friends.map((friend) => (
                <li key={friend.number} className="wrap">
                  <span className="strong">{words.friend({ number: formatNumber(friend.number) })}</span>
                  <span className="muted">{` · ${formatShortRange(friend.joinedOn, friend.joinedOn, today)} · `}</span>
                  <span className={`${toneOf[friend.status]} ${styles.state}`}>{stateInWords(friend, today)}</span>
                </li>
              ))}
            </ul>
            <ShowMore answer={answer}>{words.more}</ShowMore>
          </>
        )
      }}
    </PendingPanel>
  )
}

function stateInWords({ status, rewardOn, reason }: Friend, today: string) {
  if (status === 'no-reward') return words.noReward({ reason: words.reasons[reason ?? 'rejected'] })
  return status === 'reward-coming' && rewardOn !== null
    ? words.rewardOn({ day: formatShortRange(rewardOn, rewardOn, today) })
    : words.states[status]
}

/** Switches the customer's first name on in what their friends read. */
function FirstName({ partnerId, offer }: { partnerId: string; offer: OwnOffer }) {
  const [wanted, setWanted] = useState<boolean | null>(null)
  const { mutate, busy } = useCall(changeOwnOffer, {
    onSuccess: () => setWanted(null),
    onError: (refusal) => {
      setWanted(null)
      showToast(explainRefusal(refusal), { failed: true })
    },
  })
  return (
    <Panel>
      <div className="inset-all stack gap-1">
        <Checkbox
          label={words.showFirstName}
          checked={wanted ?? offer.showFirstName}
          disabled={busy}
          describedBy="show-first-name-help"
          onChange={(showFirstName) => {
            setWanted(showFirstName)
            mutate({ params: { id: partnerId }, body: { showFirstName } })
          }}
        />
        <p id="show-first-name-help" className="muted small">
          {words.showFirstNameHelp}
        </p>
      </div>
    </Panel>
  )
}
