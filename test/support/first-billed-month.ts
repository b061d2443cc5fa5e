// The tests bill every month, unless one says otherwise; a new instance bills none.
export const firstBilledMonth = "2020-01";
