process.env.RUNS ??= '2'
await import('./hostile-lives.test.ts')
