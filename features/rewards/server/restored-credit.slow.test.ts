process.env.RUNS ??= '4'
await import('./restored-credit.test.ts')
