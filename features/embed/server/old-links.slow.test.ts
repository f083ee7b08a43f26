process.env.RUNS ??= '25'
await import('./old-links.test.ts')
