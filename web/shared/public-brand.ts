import { useEffect, useState } from 'react'
import { getPublicBrand, type PublicBrand } from '#contract/accounts.ts'
import { callApi } from '../api.ts'

export type ShownBrand = Pick<PublicBrand, 'displayName' | 'logoUrl' | 'accent'>

/**
 * Returns how strangers see the account with this public id: undefined while the id or the answer is awaited, null
 * without an account.
 */
export function usePublicBrand(publicId: string | null | undefined): ShownBrand | null | undefined {
  const [brand, setBrand] = useState<ShownBrand | null>()
  useEffect(() => {
    if (publicId === undefined) return
    if (publicId === null) return setBrand(null)
    let current = true
    callApi(getPublicBrand, { query: { account: publicId } }).then(
      (brand) => current && setBrand(brand),
      () => current && setBrand(null),
    )
    return () => {
      current = false
    }
  }, [publicId])
  return brand
}
