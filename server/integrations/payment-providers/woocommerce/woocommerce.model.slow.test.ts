process.env.RUNS ??= '12'
await import('./woocommerce.model.test.ts')
