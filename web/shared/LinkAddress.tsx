import styles from './LinkAddress.module.css'

/** A partner's link without its scheme, `large` if it is the main thing. In a narrow place its beginning is cut, never the code. */
export function LinkAddress({ url, large = false }: { url: string; large?: boolean }) {
  const address = url.replace(/^https?:\/\//, '')
  const at = address.lastIndexOf('/') + 1
  return (
    <code title={url} className={`${large ? styles.large : 'small'} ${styles.address}`}>
      <span className="ellipsis muted">{address.slice(0, at)}</span>
      <b className="ellipsis">{address.slice(at)}</b>
    </code>
  )
}
