import { Failed, Skeleton } from './Panel.tsx'

type Props = {
  answer: { error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** Lines of the skeleton, and their height. */
  rows: number
  height?: number
}

/** The placeholder of a query without data: its skeleton, or the error. */
export const Pending = ({ answer: { error, isFetching, refetch }, rows, height }: Props) =>
  error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={rows} height={height} />
