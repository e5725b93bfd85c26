/** The rules of the made-up shop, as its `read_policy` tool returns them. */
export const policies = {
  'damaged on arrival':
    'Damaged on arrival. The customer chooses between a new item and a full refund, for 30 days after delivery. Ask for a photo only if the item costs more than $150. Items that cost less than $80 need not be sent back.',
  returns:
    'Returns. Unused items can be returned for 30 days after delivery. We refund the price of the item; we refund shipping only if the mistake was ours. After 30 days no refund is possible, and the system rejects it.',
  warranty:
    'Warranty. Electrical goods have a warranty of two years from delivery. Our workshop repairs them free of charge and a courier collects them. If an item cannot be repaired within three weeks, the customer gets a new one.',
  'double payment':
    'Double payment. If two payments were captured for one order, refund the later one in full at once. The customer need not prove anything.',
  'refund times': 'Refund times. Cards: three to five working days. PayPal: the same day. Bank transfer: up to seven working days.',
  'late delivery':
    'Late delivery. If a delivery is more than five working days late, the customer may cancel and gets the full price and the shipping back, or waits and gets a voucher of $15.',
  'gift wrapping': 'Gift wrapping. $4.50 for each item, until the order is shipped. A card with up to 200 characters is included.',
  invoices:
    'Invoices. An invoice is sent with every order by email. A company name and tax number can be added for 60 days after the order; the corrected invoice is sent within one working day.',
  'missing parts':
    'Missing parts. We send missing parts free of charge within two working days. If the item can be used without them, a refund of up to 15 percent of its price may be offered instead.',
} as const;
