"""E-mail: internet messages (.eml) and Outlook messages (.msg), written into a document in one way."""
