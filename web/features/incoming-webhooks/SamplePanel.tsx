import type { IncomingSender, IncomingWebhook } from '#contract/incoming-webhooks.ts'
import type { Json } from '#contract/payload-paths.ts'
import { formatShortDateTime } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'
import styles from './SamplePanel.module.css'
import { findReaders, type Reading, toSampleLines } from './sample.ts'
import type { ReceivedSamples } from './samples.ts'

const WaitingPanel = lazyComponent(async () => (await import('./WaitingPanel.tsx')).WaitingPanel)

type Props = {
  webhook: IncomingWebhook
  sender: IncomingSender | undefined
  samples: ReceivedSamples
  /** The target of the chosen rule, and the fields that it reads. */
  target: IncomingWebhook['target'] | undefined
  reading: Reading
}

/** The payload line by line, with the fields read from each; before the first one, instructions for sending one. */
export function SamplePanel({ webhook, sender, samples, target, reading }: Props) {
  const { timeZone } = useAccount()
  const { sample, receivedAt } = samples
  if (sample === null) return <WaitingPanel webhook={webhook} sender={sender} />
  const readers = findReaders(sample as Json, reading)
  const at = receivedAt && formatShortDateTime(receivedAt, timeZone)
  return (
    <Panel
      heading={incomingWebhookWords.sample}
      rule
      aside={at && <span className="muted">{incomingWebhookWords.receivedAt({ at })}</span>}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <ul className={styles.sample} tabIndex={0} aria-label={incomingWebhookWords.sample}>
        {toSampleLines(sample as Json).map(({ path, key, depth, value }) => (
          <li
            key={path}
            data-read={readers.has(path) || undefined}
            className="row between"
            style={{ paddingLeft: 16 + depth * 20 }}
          >
            <code className="wrap small">
              <span className="muted">{key}</span> {value}
            </code>
            {readers.has(path) && <strong className="to-end small">{readers.get(path)?.join(', ')}</strong>}
          </li>
        ))}
      </ul>
      {samples.count > 1 && <Pager samples={samples} />}
      {(target === 'lead' || target === 'sale') && (
        <p className={`muted small ${styles.foot}`}>{incomingWebhookWords.rest}</p>
      )}
    </Panel>
  )
}

const Pager = ({ samples: { number, count, newer, older } }: { samples: ReceivedSamples }) => (
  <div className={`row ${styles.foot}`}>
    <span role="status" className="rest muted">
      {incomingWebhookWords.sampleAt({ number, count })}
    </span>
    <Button small disabled={!newer} onClick={newer}>
      {incomingWebhookWords.newer}
    </Button>
    <Button small disabled={!older} onClick={older}>
      {incomingWebhookWords.older}
    </Button>
  </div>
)
